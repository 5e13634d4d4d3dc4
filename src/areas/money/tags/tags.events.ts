import {
  carries,
  type Created,
  defineEvents,
  type Deleted,
  lifecycleOf,
} from '../../../platform/log/events.ts'
import type { StoredTag } from './tags.queries.ts'

export const tagEvents = defineEvents('tag', {
  ...lifecycleOf<StoredTag>(),
  /** It is gone; the tag `into` took its place. */
  merged: carries<Deleted<StoredTag> & { into: string }>(),
  restored: carries<Created<StoredTag>>(),
  erased: carries<Deleted<StoredTag>>(),
})
