export { PURGE_FILES } from './sweeping/sweeping.usecases.ts'
