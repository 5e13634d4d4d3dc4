import { addressOf, MOST_TAGS } from '../../../domain/ledger-ids.ts'
import { type LedgerRow, sidesOf, type Snapshot, wholeOf } from '../../../ledger/ledger.public.ts'
import type { KnownLabel, LaterValue, LoggedSide } from './changes.rules.ts'

// A commit tells what it changed of each account's side of a transaction. Here this is compared with the sides as they are now, and
// the fields that can go back are put into them.

export type KeptReason = 'changedSince' | 'deletedSince' | 'reconciled' | 'locked' | 'notVisible'

/** A snapshot with the account where that differs. */
type Fields = Partial<Snapshot> & { accountId?: string }
type Field = keyof Fields

/** A side of a transaction, as it is or was. */
export interface Side extends Snapshot {
  line: number
  accountId: string
}

/** A side as the commit found and left it; `before` is undefined where it made the side, and `after` where it removed it. */
interface ChangedSide extends Pick<LoggedSide, 'id' | 'accountId'> {
  line: number
  before: Fields | undefined
  after: Fields | undefined
}

/** What is known beside the transaction itself. */
export interface Known {
  accounts: ReadonlyMap<string, { ownerId: string; currency: string }>
  /** The labels before the commit that are still there. */
  labels: ReadonlyMap<string, KnownLabel>
  /** By id of the side and field. */
  later: ReadonlyMap<string, LaterValue>
}

/** A transaction that a commit changed, as it is now. */
export interface Compared {
  row: LedgerRow
  sides: ChangedSide[]
  now: ReadonlyMap<number, Side>
  known: Known
}

export const compared = (row: LedgerRow, events: LoggedSide[], known: Known): Compared => ({
  ...{ row, known, sides: events.flatMap(sideIn) },
  now: new Map(
    sidesOf(wholeOf(row)).map(({ line, accountId, snapshot }) => [
      line,
      { ...snapshot, line, accountId },
    ]),
  ),
})

function sideIn({ type, id, accountId, content }: LoggedSide): ChangedSide[] {
  const { before, after } = JSON.parse(content ?? '{}') as Pick<ChangedSide, 'before' | 'after'>
  const side = { id, accountId, line: addressOf(id).line }
  if (type !== 'transaction.updated') {
    return [{ ...side, before, after }]
  }
  // The event of the account that it went to tells of both.
  return before && !after ? [] : [{ ...side, before: before ?? {}, after: after ?? {} }]
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

const valueNow = ({ now }: Compared, { line }: ChangedSide, field: Field): unknown =>
  now.get(line)?.[field]

/** The value that the commit left: what it set, else what the first later change found, else what is there now. */
function valueAfter(all: Compared, side: ChangedSide, field: Field): unknown {
  const { id, accountId, before = {}, after = {} } = side
  if (field === 'accountId') {
    return accountId
  }
  if (field in before || field in after) {
    return after[field]
  }
  const later = all.known.later.get(`${id} ${field}`)
  return later ? (JSON.parse(later.was ?? 'null') ?? undefined) : valueNow(all, side, field)
}

const isStill = (all: Compared, side: ChangedSide, field: Field): boolean =>
  isSame(valueNow(all, side, field), valueAfter(all, side, field))

/** True if the caller sees a side where it is now. The others decide nothing, so that nobody learns of them. */
const isSeen = ({ known, now }: Compared, { line, accountId }: ChangedSide): boolean =>
  known.accounts.has(now.get(line)?.accountId ?? accountId)

/** True if a side that the caller sees was reconciled with a statement after the commit. */
export const isReconciledSince = (all: Compared): boolean =>
  all.sides.some(
    (side) =>
      isSeen(all, side) &&
      valueNow(all, side, 'status') === 'reconciled' &&
      !isStill(all, side, 'status'),
  )

/** True if a transaction is what the commit made of it, or found. */
export const isAsLogged = ({ sides, now }: Compared, at: 'before' | 'after'): boolean =>
  sides.length === now.size &&
  sides.every((side) => {
    const { line: _line, accountId, ...found }: Partial<Side> = now.get(side.line) ?? {}
    // Links to recurring items are set by the service, too, and what a statement confirms is still what was recorded.
    const own = ({ recurringId: _id, recurringDate: _date, status, ...fields }: Fields) =>
      found.status === 'reconciled' ? fields : { status, ...fields }
    return accountId === side.accountId && isSame(own(found), own(side[at] ?? {}))
  })

/** A field of one side. */
type Place = [side: ChangedSide, field: Field]

/** A field that a commit changed, with its places, or the reason for which it stays. */
export interface FormerField {
  field: string
  back: Place[]
  kept?: KeptReason | undefined
}

/** Kind, account, amount and parts are one field on all sides: one without the others may say what nobody ever said. */
const OF_AMOUNT = 'kind accountId amountMinor splits counterAccountId fees'.split(' ') as Field[]
/** The fields of the other side of a part, which has no others of its own. */
const AMOUNT_OF_LEG: Field[] = ['accountId', 'amountMinor', 'counterAccountId']
const TEXTS_OF_LEG: Field[] = ['status', 'externalId', 'payeeRaw']

const NAMES: Partial<Record<Field, string>> = {
  originalAmountMinor: 'originalAmount',
  originalCurrency: 'originalAmount',
  recurringDate: 'recurringId',
}

/** All fields of a transaction that a commit changed. */
export function formerFields(all: Compared): FormerField[] {
  const { sides, row } = all
  const changed = sides.flatMap((side): Place[] =>
    side.before && side.after
      ? [...new Set(Object.keys({ ...side.before, ...side.after }) as Field[])]
          .filter((field) => side.line <= 2 || [...AMOUNT_OF_LEG, ...TEXTS_OF_LEG].includes(field))
          .map((field) => [side, field])
      : [],
  )
  // Parts have categories in the place of that of the whole.
  const coversCategory = changed.some(([, field]) => field === 'kind' || field === 'splits')
  const ofWhole: Field[] = [
    ...OF_AMOUNT,
    ...(row.headerKind === 'transfer' ? (['rate'] as const) : []),
    ...(coversCategory ? (['categoryId'] as const) : []),
  ]
  const ofAmount = ({ line }: ChangedSide) => (line > 2 ? AMOUNT_OF_LEG : ofWhole)
  // Each side has a status and an id of its bank, and the other side of a part has a text of its bank, too.
  const nameOf = ([side, field]: Place) => {
    if (ofAmount(side).includes(field)) {
      return 'amount'
    }
    return side.line > 2 || field === 'status' || field === 'externalId'
      ? `${field} ${side.line}`
      : (NAMES[field] ?? field)
  }
  const byName = Map.groupBy(changed, nameOf)
  const amount = byName.get('amount') ?? []
  byName.delete('amount')
  const sidesOfAmount = sides.filter(
    (side) => !side.before || !side.after || amount.some(([one]) => one === side),
  )
  return [
    ...(sidesOfAmount.length > 0
      ? [{ field: 'amount', back: amount, kept: amountKept(all, sidesOfAmount, ofAmount) }]
      : []),
    ...[...byName].flatMap(([name, back]) => {
      const seen = back.filter(([side]) => isSeen(all, side))
      return name === 'tagIds' && seen.length > 0
        ? formerTags(all, back)
        : [{ field: name.replace(/ .*/, ''), back, kept: keptAt(all, seen) }]
    }),
  ]
}

/** The reason for which the amount stays, if there is one. All sides that it changed on must be seen, before and after. */
function amountKept(
  all: Compared,
  changed: ChangedSide[],
  ofAmount: (side: ChangedSide) => Field[],
): KeptReason | undefined {
  const { sides, known, now } = all
  const accountIds = changed.flatMap(({ line, accountId, before }) =>
    [accountId, before?.accountId, now.get(line)?.accountId].filter((id) => id !== undefined),
  )
  if (!accountIds.every((id) => known.accounts.has(id))) {
    return 'notVisible'
  }
  const places = sides
    .filter((side) => isSeen(all, side))
    .flatMap((side) => ofAmount(side).map((field): Place => [side, field]))
  // An account without transactions may have got another currency, in which the amount would be another one.
  const isOtherMoney = accountIds.some((id) => {
    const { was } = known.later.get(`${id} currency`) ?? {}
    return was && JSON.parse(was) !== known.accounts.get(id)?.currency
  })
  return isOtherMoney ? 'changedSince' : keptAt(all, places)
}

/** The reason for which fields stay as they are, if there is one, by the places that the caller sees. */
function keptAt(all: Compared, places: Place[]): KeptReason | undefined {
  if (places.length === 0) {
    return 'notVisible'
  }
  if (places.some(([side, field]) => side.after && !isStill(all, side, field))) {
    return 'changedSince'
  }
  const ids = places.flatMap(([{ before = {} }, field]) =>
    LABELLED.includes(field) ? labelsIn(before[field]) : [],
  )
  return ids.some((id) => !isThere(all, id)) ? 'deletedSince' : undefined
}

const LABELLED: Field[] = ['categoryId', 'payeeId', 'splits', 'fees']

/** The ids of the labels that a value of a snapshot names. */
const labelsIn = (value: unknown): string[] =>
  [...JSON.stringify(value ?? null).matchAll(/"((?:cat|pay|tag)_[0-9a-z]+)"/g)].flatMap(
    ([, id]) => id ?? [],
  )

/** True if a label can be put back: it is there, or the transaction has it now. */
const isThere = ({ row, known }: Compared, id: string): boolean =>
  known.labels.get(id)?.ownerId === row.ownerId ||
  [row.others, row.payees, row.tags].some((text) => text.includes(id))

/** Tags go back one by one. Those that somebody added or removed since stay so. */
function formerTags(all: Compared, changes: Place[]): FormerField[] {
  const [[side]] = changes as [Place]
  const { tagIds: before = [] } = side.before ?? {}
  const { tagIds: after = [] } = side.after ?? {}
  const { tagIds: now = [] } = all.now.get(side.line) ?? {}
  const added = after.filter((id) => !before.includes(id))
  const missing = before.filter((id) => !after.includes(id) && !now.includes(id))
  const returning = missing.filter((id) => isThere(all, id))
  const tagIds = [...now.filter((id) => !added.includes(id)), ...returning].toSorted()
  const isFull = tagIds.length > MOST_TAGS
  const isOther =
    isFull ||
    added.some((id) => !now.includes(id)) ||
    before.some((id) => !after.includes(id) && now.includes(id))
  const back = changes.map(([one, field]): Place => [{ ...one, before: { tagIds } }, field])
  const stays = (kept: KeptReason): FormerField => ({ field: 'tagIds', back: [], kept })
  return [
    ...(isSame(tagIds, now) || isFull ? [] : [{ field: 'tagIds', back }]),
    ...(returning.length < missing.length ? [stays('deletedSince')] : []),
    ...(isOther ? [stays('changedSince')] : []),
  ]
}

/** The sides of a transaction with some fields as they were before. */
export function sidesWith({ sides, now }: Compared, fields: FormerField[]): Side[] {
  const former = new Map(now)
  for (const [{ line, before = {} }, field] of fields.flatMap(({ back }) => back)) {
    const side = former.get(line)
    if (side && (field !== 'accountId' || before.accountId)) {
      former.set(line, { ...side, [field]: before[field] })
    }
  }
  if (fields.some(({ field }) => field === 'amount')) {
    for (const { line, accountId, before, after } of sides) {
      if (!before) {
        former.delete(line)
      } else if (!after) {
        // What an event tells of a side that it removed is all of it.
        former.set(line, { ...(before as Snapshot), line, accountId })
      }
    }
  }
  return [...former.values()]
}
