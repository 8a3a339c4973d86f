import type { ComponentType } from 'react'

/** Translates a key of the plugin's dictionaries; `{name}` in a text is replaced by `params.name`. */
export type HostTranslate = (key: string, params?: Readonly<Record<string, unknown>>) => string

/** Undoes a registration. */
export type Dispose = () => void

/** A workspace as the host's own list has it (observed on DSH 0.1.0-rc.8). */
export interface HostWorkspace {
  readonly workspaceId: string
  readonly path: string
  readonly title?: string
}

/** What the shell gives to a settings section. All but `t` may be missing on another host version. */
export interface SectionProps {
  readonly t: HostTranslate
  readonly useWorkspaces?: <Value>(
    select: (state: { readonly items?: readonly HostWorkspace[] } | undefined) => Value,
  ) => Value
  readonly close?: () => void
}

/** Registration of a section in the slot `settings.section`. */
export interface SectionRegistration {
  readonly name: 'settings.section'
  readonly id: string
  readonly order: number
  readonly label: () => string
  readonly locale: string
  readonly inject: () => object
}

/** The part of the browser context that the page uses. */
export interface ClientContext {
  effect(start: () => Dispose, label?: string): unknown
  readonly locale: {
    register(namespace: string, dictionaries: Readonly<Record<'zh' | 'en', Readonly<Record<string, string>>>>): Dispose
    bind(namespace: string): HostTranslate
  }
  readonly slots: {
    /** Calls `register` when the slot exists, and undoes what it returned when the slot goes. */
    inject(slot: string, register: () => Dispose): unknown
    register(registration: SectionRegistration, component: ComponentType<SectionProps>): Dispose
  }
}
