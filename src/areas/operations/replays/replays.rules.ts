import { addressOf } from '../../../domain/ledger-ids.ts'

/** Kinds of things of which sharing and groups show somebody those of others, by the prefix of their ids. */
const KIND_OF_PREFIX = {
  acc: 'accounts',
  txn: 'transactions',
  trf: 'transactions',
  val: 'valuations',
  att: 'files',
  bud: 'budgets',
  shr: 'shares',
  grp: 'groups',
} as const

type Prefix = keyof typeof KIND_OF_PREFIX
export type NamedKind = (typeof KIND_OF_PREFIX)[Prefix]

/** The ids that an answer names, by kind. */
type Named = Partial<Record<NamedKind, string[]>>

/** Fields that hold ids of the service. What a client chose itself is none. */
const isIdField = (field: string) => /^ids?$|Ids?$/.test(field) && field !== 'externalId'

/** Objects that are as a client sent them: a saved view may name what its owner does not see. */
const SENT = ['metadata', 'parameters']

/** The ids that JSON names anywhere in its id fields, apart from those of what it says was deleted by the request. */
export function idsNamedIn(answer: string): Named {
  const found = new Map<NamedKind, Set<string>>()
  const note = (id: string) => {
    const kind = KIND_OF_PREFIX[id.slice(0, 3) as Prefix] as NamedKind | undefined
    if (kind && id[3] === '_') {
      const ids = found.get(kind) ?? new Set()
      found.set(kind, ids.add(id.startsWith('txn_') ? addressOf(id).transactionId || id : id))
    }
  }
  const look = (field: string, value: unknown): void => {
    if (Array.isArray(value)) {
      value.forEach((one) => look(field, one))
    } else if (typeof value === 'object' && value !== null) {
      if (!SENT.includes(field) && (value as { status?: unknown }).status !== 'deleted') {
        Object.entries(value).forEach(([name, one]) => look(name, one))
      }
    } else if (typeof value === 'string' && isIdField(field)) {
      note(value)
    }
  }
  look('', JSON.parse(answer))
  return Object.fromEntries([...found].map(([kind, ids]) => [kind, [...ids]]))
}
