export { categoriesByIds, type NamedCategory } from './categories.queries.ts'
export { type CategoryImage, restoreCategory } from './removal/removal.queries.ts'
export { presentCategory } from './categories.presenters.ts'
export { listCategories } from './categories.usecases.ts'
