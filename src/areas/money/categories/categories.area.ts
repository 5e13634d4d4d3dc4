import type { Area } from '../../area.ts'
import * as categories from './categories.routes.ts'
import { namedCategories } from './naming/naming.hooks.ts'
import * as order from './order/order.routes.ts'
import { refundCategories } from './refunds/refunds.hooks.ts'
import * as removal from './removal/removal.routes.ts'
import * as starter from './starter/starter.routes.ts'

export const categoriesArea: Area = {
  tag: 'Categories',
  operations: [categories, order, removal, starter],
  hooks: [namedCategories, refundCategories],
}
