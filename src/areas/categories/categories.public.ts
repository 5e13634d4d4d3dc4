export { categoriesByIds, type NamedCategory } from './categories.queries.ts'
export { type CategoryImage, restoreCategory } from './removal/removal.queries.ts'
