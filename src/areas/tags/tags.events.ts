import { carries, type Created, defineEvents, type Updated } from '../../platform/events.ts'
import type { StoredTag } from './tags.queries.ts'

export const tagEvents = defineEvents('tag', {
  created: carries<Created<StoredTag>>(),
  updated: carries<Updated<StoredTag>>(),
})
