import type { Area } from '../../area.ts'
import * as categories from './categories.routes.ts'
import { namedCategories, refundCategories } from './categories.hooks.ts'

export const categoriesArea: Area = {
  tag: 'Categories',
  operations: [categories],
  hooks: [namedCategories, refundCategories],
}
