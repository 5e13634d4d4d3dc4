export { categoriesByIds, type NamedCategory } from './categories.queries.ts'
