export type { About } from './definition.ts'
export { createToolSet } from './tool-set.ts'
export { tools } from './catalogue.ts'
