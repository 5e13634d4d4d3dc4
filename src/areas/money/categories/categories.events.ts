import type { categories } from '../../../../drizzle/schema/categories.ts'
import {
  carries,
  type Created,
  defineEvents,
  type Deleted,
  type Updated,
} from '../../../platform/events.ts'

export type CategoryRow = typeof categories.$inferSelect

/** Categories that moved. */
type Places = Pick<CategoryRow, 'id' | 'parentId' | 'order'>[]

/** The usage that moved to the category `into`. */
interface HandedOver {
  into: string
  childIds: string[]
  payeeIds: string[]
}

export const categoryEvents = defineEvents('category', {
  created: carries<Created<CategoryRow>>(),
  updated: carries<Updated<CategoryRow>>(),
  deleted: carries<Deleted<CategoryRow> & Partial<HandedOver>>(),
  /** It is gone; the category `into` took its place. */
  merged: carries<Deleted<CategoryRow> & HandedOver>(),
  restored: carries<Created<CategoryRow>>(),
  erased: carries<Deleted<CategoryRow>>(),
  reordered: carries<{ before: Places; after: Places }>(),
})
