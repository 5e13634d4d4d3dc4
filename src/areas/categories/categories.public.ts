export { categoriesByIds } from './categories.queries.ts'
