import type { LedgerRow } from '../../../../ledger/ledger.public.ts'
import { type Before, canRestore, type WrittenFields, fieldsOf } from '../booking/matched.rules.ts'

/** Lines of the transactions of one commit. */
export const MOST_REVERTED_LINES = 20_000
/** The maximum number of things in the list of what stays. */
export const MOST_KEPT_ITEMS = 1000

export interface RevertInput {
  dryRun?: boolean | undefined
  edited?: 'keep' | 'remove' | undefined
  force?: boolean | undefined
}

const SENTENCES: Record<string, string> = {
  inTrash: 'It is in the trash already.',
  locked: 'Its day is locked for the account. Send `force` if you may use it, or end the lock.',
  reconciled: 'It is reconciled. Send `force: true` to take it back all the same.',
  linked: 'It is linked with another transaction. Send `force: true` to take it back all the same.',
  transfer:
    'It is part of a transfer. Send `force: true` to take it back all the same, and `edited: remove` if the transfer was changed.',
  outOfRange:
    'Without it, or with its earlier amount, a balance would become too large. Make room for it, and revert the import again.',
  otherAccount: 'It is on an account that you, or the token of the request, may not change.',
  inUse: 'Something is still on it.',
}

const EDITED = 'It was changed since. Send `edited: remove` to move it to the trash.'

const FIELDS_KEPT =
  'You changed these fields after the import matched it, so they stay as they are.'

/** Returns a sentence that says why something stays and what to do about it. */
export const messageFor = ({ reason, fields }: KeptItem): string =>
  fields === undefined ? (SENTENCES[reason] ?? EDITED) : FIELDS_KEPT

export type RevertChoice = Pick<RevertInput, 'edited' | 'force'>

/** Something that a revert leaves, in whole or in part. */
export interface KeptItem {
  id: string
  reason: string
  /** The fields that keep their present value, for a transaction that existed before the import. */
  fields?: string[]
}

/** The progress and result of a revert. */
export interface Reverted {
  removed: number
  restored: number
  kept: KeptItem[]
  /** The last transaction that was looked at. */
  after?: string | null
  /** The account and identity of the last matched row that was looked at. */
  afterAdded?: [accountId: string, identity: string] | null
  /** The number of transactions checked last that stay because a balance would leave its range. */
  beyond?: number
  /** The number that was reverted before the last recheck of all. */
  doneBefore?: number
  /** The number of rechecks of all remaining ones. */
  again?: number
}

/** Begins to look at all that is left; the results add up. Those that stayed as a whole are reported anew. */
export const lookedAtAnew = ({
  removed = 0,
  restored = 0,
  kept = [],
}: Partial<Reverted>): Reverted => ({
  ...{ removed, restored, kept: kept.filter(({ fields }) => fields !== undefined) },
  ...{ after: null, afterAdded: null, beyond: 0, doneBefore: removed + restored },
})

/** The most rechecks of a revert. A further revert can remove the remaining ones. */
const MOST_AGAIN = 3

/** True if remaining ones may be reverted by now: other reverted ones may have made room. */
export const mayGoNow = ({
  removed,
  restored,
  beyond = 0,
  doneBefore = 0,
  again = 0,
}: Reverted): boolean => beyond > 0 && removed + restored > doneBefore && again < MOST_AGAIN

/** Rows that stay of a piece because of the range of amounts before the rest of their pieces is not tried in smaller ones. */
const MOST_TRIED_ALONE = 100

/** True if a piece that would take a balance out of range is tried in smaller pieces. */
export const isTriedInParts = ({ beyond = 0 }: Reverted): boolean => beyond < MOST_TRIED_ALONE

// Several imports may match one transaction, each on top of what the ones before wrote. A revert takes one of these layers out, and
// leaves alone what somebody has changed since.

/** The changes of an import to a side of a transaction. */
export interface Layer {
  accountId: string
  /** The owner of the account. */
  ownerId: string
  identity: string
  before: Before
}

const ALL: (keyof WrittenFields)[] = [
  ...(['date', 'amountMinor', 'status', 'payeeRaw', 'time', 'note', 'externalId'] as const),
]

const valueIn = ({ columns, linePayeeRaw, ...before }: Before, field: keyof WrittenFields) =>
  ({
    ...{ ...before, ...columns },
    payeeRaw: linePayeeRaw === undefined ? columns.payeeRaw : linePayeeRaw,
  })[field]

function withValue(before: Before, field: keyof WrittenFields, value: unknown): Before {
  if (field === 'payeeRaw' && before.linePayeeRaw !== undefined) {
    return { ...before, linePayeeRaw: value as string | null }
  }
  return field in before.columns
    ? { ...before, columns: { ...before.columns, [field]: value } }
    : { ...before, [field]: value }
}

/** The fields that a layer wrote. An old backup may not say, but if nothing changed since, all that differs is its own. */
function wroteIn({ before }: Layer, row: LedgerRow): Partial<WrittenFields> {
  if (before.wrote !== undefined || row.version !== before.version + 1) {
    return before.wrote ?? {}
  }
  const now = fieldsOf(row)
  return Object.fromEntries(
    ALL.filter((field) => now[field] !== valueIn(before, field)).map((field) => [
      field,
      now[field],
    ]),
  )
}

/** The effects of taking a layer out. */
export interface TakenOut {
  back: Partial<WrittenFields>
  /** The fields that keep what somebody has changed, as the API names them. */
  kept: string[]
  /** Later layers, as they are on top of what was below. */
  changed: Map<Layer, Layer>
}

/**
 * Takes a layer out from under the others.
 * @param all all layers of the transaction
 */
export function takeOut(row: LedgerRow, layer: Layer, all: Layer[]): TakenOut {
  const { before } = layer
  const now = fieldsOf(row)
  const wrote = wroteIn(layer, row)
  const changed = new Map<Layer, Layer>()
  const onSame = (field: keyof WrittenFields) =>
    all.filter(
      (one) =>
        one !== layer &&
        ((isShared(field, one) && isShared(field, layer)) || isOfSide(row, layer, one)),
    )
  /** Puts the layers above on what was below; true if one of them wrote the field, too. */
  const passOn = (field: keyof WrittenFields): boolean => {
    for (const one of onSame(field)
      .filter((other) => isLater(other, layer))
      .toSorted(inTime)) {
      if (valueIn(one.before, field) !== wrote[field]) {
        return false
      }
      const present = changed.get(one) ?? one
      const lowered = withValue(present.before, field, valueIn(before, field))
      changed.set(one, { ...present, before: lowered })
      if (one.before.wrote && field in one.before.wrote) {
        return true
      }
    }
    return false
  }
  const back: Partial<WrittenFields> = {}
  const kept = ALL.filter((field) => {
    // A row that became the other side of a part has no time and note there.
    if (row.pair !== null && ['time', 'note'].includes(field)) {
      return false
    }
    const was = valueIn(before, field)
    const isCovered = field in wrote && passOn(field)
    const isRewritten = onSame(field).some(
      (one) => isLater(one, layer) && one.before.wrote?.[field] === now[field],
    )
    const isOwn = field in wrote && !isCovered && !isRewritten && now[field] === wrote[field]
    if (isOwn && canRestore(row, field, before.amountMinor)) {
      Object.assign(back, now[field] === was ? {} : { [field]: was })
      return false
    }
    const isOfOther = onSame(field).some((one) => one.before.wrote?.[field] === now[field])
    return now[field] !== was && (isOwn || !isOfOther)
  })
  return { back, kept: kept.map((field) => field.replace(/Minor$/, '')), changed }
}

/** True if all sides of the transaction of a layer share a field; the other side of a part has texts of its own. */
const isShared = (field: keyof WrittenFields, { before: { linePayeeRaw } }: Layer): boolean =>
  field === 'date' || (WORDS.has(field) && linePayeeRaw === undefined)

const WORDS: ReadonlySet<keyof WrittenFields> = new Set(['payeeRaw', 'time', 'note'])

const isOfSide = ({ headerKind }: LedgerRow, one: Layer, other: Layer): boolean =>
  one.accountId === other.accountId &&
  (headerKind === 'transfer' || one.before.line === other.before.line)

const timeOf = ({ before: { at = 0, version } }: Layer) => [at, version] as const

/** Orders layers from the one at the bottom. */
export function inTime(one: Layer, other: Layer): number {
  const [[at, version], [otherAt, otherVersion]] = [timeOf(one), timeOf(other)]
  return at - otherAt || version - otherVersion
}

const isLater = (one: Layer, than: Layer): boolean => inTime(one, than) > 0
