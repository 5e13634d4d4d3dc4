import type { categories } from '../../../../drizzle/schema/categories.ts'
import {
  carries,
  type Created,
  defineEvents,
  type Deleted,
  type Updated,
} from '../../../platform/log/events.ts'

type Row = typeof categories.$inferSelect

/** Categories that moved. */
type Places = Pick<Row, 'id' | 'parentId' | 'order'>[]

/** The usage that moved to the category `into`. */
interface HandedOver {
  into: string
  childIds: string[]
  payeeIds: string[]
}

export const categoryEvents = defineEvents('category', {
  created: carries<Created<Row>>(),
  updated: carries<Updated<Row>>(),
  deleted: carries<Deleted<Row> & Partial<HandedOver>>(),
  /** It is gone; the category `into` took its place. */
  merged: carries<Deleted<Row> & HandedOver>(),
  restored: carries<Created<Row>>(),
  erased: carries<Deleted<Row>>(),
  reordered: carries<{ before: Places; after: Places }>(),
})
