import { z } from 'zod'

/** Argument shapes that several tools share. */

export const sessionId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/)
  .describe('From dsh_start_session or dsh_list_sessions')

export const prompt = z.string().min(1).max(200_000)

export const images = z
  .array(
    z.strictObject({
      mediaType: z.enum(['image/png', 'image/jpeg', 'image/webp', 'image/gif']),
      data: z.string().min(1).describe('Base64'),
    }),
  )
  .max(8)
  .default([])
  .describe('Images to attach')

export const title = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((text) => /[^\s\p{C}]/u.test(text), 'must contain visible characters')

export const provider = z.string().min(1).max(200)
export const model = z.string().min(1).max(200)
export const reasoningEffort = z
  .string()
  .min(1)
  .max(100)
  .describe('One of the efforts of the model, from dsh_list_models')
export const interactionId = z.string().min(1).max(200).describe('From dsh_wait_session or dsh_list_interactions')
export const presetName = z.string().min(1).max(200).describe('From dsh_list_presets')

export function count(min: number, max: number, standard: number) {
  return z.int().min(min).max(max).default(standard)
}

export const cursor = z.string().min(1).max(1000).describe('nextCursor of the previous page')
