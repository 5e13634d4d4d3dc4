export { defaultClass } from './storage-classes.queries.ts'
