export { PURGE_TRASH } from './erasing/erasing.usecases.ts'
