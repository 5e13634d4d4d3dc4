import { carries, type Created, defineEvents, type Updated } from '../../platform/events.ts'
import type { CategoryRow } from './categories.queries.ts'

/** Those that moved. */
type Places = Pick<CategoryRow, 'id' | 'parentId' | 'order'>[]

export const categoryEvents = defineEvents('category', {
  created: carries<Created<CategoryRow>>(),
  updated: carries<Updated<CategoryRow>>(),
  reordered: carries<{ before: Places; after: Places }>(),
})
