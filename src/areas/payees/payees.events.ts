import {
  carries,
  type Created,
  defineEvents,
  type Deleted,
  type Updated,
} from '../../platform/events.ts'
import type { StoredPayee } from './payees.queries.ts'

interface Alias {
  raw: string
}

export const payeeEvents = defineEvents('payee', {
  created: carries<Created<StoredPayee & { aliases: string[] }>>(),
  updated: carries<Updated<StoredPayee>>(),
  aliasAdded: carries<Created<Alias>>(),
  aliasRemoved: carries<Deleted<Alias>>(),
})
