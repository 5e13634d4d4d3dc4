import type { Area } from '../../area.ts'
import * as categories from './categories.routes.ts'
import { namedCategories } from './naming/naming.hooks.ts'
import { refundCategories } from './refunds/refunds.hooks.ts'
import * as removal from './removal/removal.routes.ts'

export const categoriesArea: Area = {
  tag: 'Categories',
  operations: [categories, removal],
  hooks: [namedCategories, refundCategories],
}
