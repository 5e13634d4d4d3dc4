import {
  carries,
  type Created,
  defineEvents,
  type Deleted,
  type Updated,
} from '../../../platform/events.ts'
import type { StoredTag } from './tags.queries.ts'

export const tagEvents = defineEvents('tag', {
  created: carries<Created<StoredTag>>(),
  updated: carries<Updated<StoredTag>>(),
  deleted: carries<Deleted<StoredTag>>(),
  /** It is gone; the tag `into` took its place. */
  merged: carries<Deleted<StoredTag> & { into: string }>(),
  restored: carries<Created<StoredTag>>(),
  erased: carries<Deleted<StoredTag>>(),
})
