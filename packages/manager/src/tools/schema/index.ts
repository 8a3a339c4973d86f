export { clip } from './notes.ts'
export { projectInputSchema, projectOutputSchema } from './tool-schemas.ts'
export { isRecord, satisfies } from './subset.ts'
export type { ObjectSchema, SubsetSchema } from './subset.ts'
