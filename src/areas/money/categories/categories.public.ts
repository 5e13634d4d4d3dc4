export { MOST_CATEGORIES } from './categories.rules.ts'
export { categoryErrors } from './categories.errors.ts'
export {
  allCategories,
  categoriesByIds,
  categoriesCreated,
  type NamedCategory,
  newCategoryRow,
} from './categories.queries.ts'
export { deleteCategory } from './removal/removal.usecases.ts'
