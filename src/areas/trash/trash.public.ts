export { presentItem } from './trash.presenters.ts'
export { findTrash } from './trash.usecases.ts'
export { PURGE_TRASH } from './erasing/erasing.usecases.ts'
