import {
  carries,
  type Created,
  defineEvents,
  type Deleted,
} from '../../../../platform/log/events.ts'
import type { StoredLink } from './links.queries.ts'

export const linkEvents = defineEvents('transaction', {
  linked: carries<Created<StoredLink>>(),
  unlinked: carries<Deleted<Omit<StoredLink, 'ownerId'>>>(),
})
