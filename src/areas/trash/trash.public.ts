export { presentItem } from './trash.presenters.ts'
export { findTrash } from './trash.usecases.ts'
