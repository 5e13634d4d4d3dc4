import {
  carries,
  type Created,
  defineEvents,
  type Deleted,
  type Updated,
} from '../../../platform/log/events.ts'
import type { NewPayeeRow, StoredPayee } from './payees.queries.ts'

interface Aliases {
  aliases: string[]
}

type PayeeWithAliases = StoredPayee & Aliases

interface Alias {
  raw: string
}

export const payeeEvents = defineEvents('payee', {
  created: carries<Created<NewPayeeRow & Aliases>>(),
  updated: carries<Updated<StoredPayee>>(),
  /** The payee `into` took its place on transactions, if one did. */
  deleted: carries<Deleted<PayeeWithAliases> & { into?: string | undefined }>(),
  /** It is gone; the payee `into` has its transactions and aliases, and its name as another alias. */
  merged: carries<Deleted<PayeeWithAliases> & { into: string }>(),
  restored: carries<Created<StoredPayee>>(),
  erased: carries<Deleted<StoredPayee>>(),
  aliasAdded: carries<Created<Alias>>(),
  aliasRemoved: carries<Deleted<Alias>>(),
})
