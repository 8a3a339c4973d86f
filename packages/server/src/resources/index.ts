export { createResourceSet } from './resource-set.ts'
