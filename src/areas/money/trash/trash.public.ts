export { PURGE_TRASH } from './trash.usecases.ts'
