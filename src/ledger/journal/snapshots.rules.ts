import { kindAt, legIdOf } from '../../domain/ledger-ids.ts'
import { type Entry, feesIn, type Kind, type Status } from '../../domain/ledger.ts'
import { add, negate } from '../../domain/money.ts'
import { labelsAt, type Labels, WHOLE } from '../labels/labels.rules.ts'

/** The fields of a transaction's header that a snapshot contains. */
interface Header {
  id: string
  ownerId: string
  kind: Kind
  date: string
  time: string | null
  description: string
  payeeRaw: string | null
  originalAmountMinor: number | null
  originalCurrency: string | null
  rate: string | null
  reviewed: boolean
  private: boolean
  excludeFromReports: boolean
  source: string
  note: string | null
  /** JSON, as is `metadata`. */
  location: string | null
  metadata: string | null
  recurringId: string | null
  recurringDate: string | null
}

interface WholeTransaction {
  header: Header
  entries: Entry[]
  labels: Labels
}

/** A part, as the log keeps it. */
export interface PartSnapshot {
  line: number
  /** In the direction of the whole. */
  amountMinor: number
  categoryId?: string
  payeeId?: string
  tagIds?: string[]
  note?: string
  /** The account on the other side of a part that is a transfer. */
  counterAccountId?: string
}

/** A fee of a transfer, as the log keeps it. */
export interface FeeSnapshot {
  line: number
  amountMinor: number
  categoryId?: string
  note?: string
}

/**
 * A transaction as one of its accounts sees it, as the log keeps it: fields of the API, with amounts in minor units of
 * the account's currency. What is null, false or empty is left out, and so is `user` as a source.
 */
export interface Snapshot {
  kind: Kind
  date: string
  time?: string
  description?: string
  /** Signed; into the account is positive. */
  amountMinor: number
  originalAmountMinor?: number
  originalCurrency?: string
  rate?: string
  payeeId?: string
  payeeRaw?: string
  categoryId?: string
  tagIds?: string[]
  status: Status
  reviewed?: true
  splits?: PartSnapshot[]
  counterAccountId?: string
  /** The fees of a transfer, on the side that pays them. */
  fees?: FeeSnapshot[]
  externalId?: string
  source?: string
  note?: string
  location?: object
  metadata?: object
  recurringId?: string
  recurringDate?: string
  private?: true
  excludeFromReports?: true
}

/** One account's side of a transaction, at a moment. */
export interface AccountSide {
  /** The id under which it is addressed. */
  id: string
  line: number
  accountId: string
  ownerId: string
  snapshot: Snapshot
}

/** The sides of a transaction: one, or two of a transfer, and one more of each part that is a transfer. */
export function sidesOf({ header, entries, labels }: WholeTransaction): AccountSide[] {
  const { id, ownerId, kind } = header
  const accounts = entries.filter(({ side }) => side === 'account')
  const own = accounts.filter(({ pair }) => pair === null)
  return accounts.map((line) => ({
    id: legIdOf(id, kindAt(line.line, kind), line.line),
    line: line.line,
    accountId: line.accountId,
    ownerId,
    snapshot:
      line.pair === null
        ? snapshotOf(header, line, {
            counter: own.find((other) => other !== line),
            others: entries.filter(({ side, pair }) => side !== 'account' && pair === null),
            legs: accounts.filter(({ pair }) => pair !== null),
            labels,
          })
        : snapshotOfLeg(header, line, entries),
  }))
}

/**
 * Returns the snapshot of the other side of a part. Readers of this account may not see that of the whole, so it
 * contains only the content of the part.
 */
function snapshotOfLeg(header: Header, own: Entry, entries: Entry[]): Snapshot {
  const part = entries.find(({ line }) => line === own.pair)
  return compact({
    kind: 'transfer',
    date: header.date,
    amountMinor: own.amountMinor,
    categoryId: part?.categoryId,
    status: own.status,
    counterAccountId: part?.accountId,
    payeeRaw: own.payeeRaw,
    externalId: own.externalId,
    note: part?.note,
    private: header.private,
  })
}

function snapshotOf(
  header: Header,
  own: Entry,
  {
    counter,
    others,
    legs,
    labels,
  }: { counter: Entry | undefined; others: Entry[]; legs: Entry[]; labels: Labels },
): Snapshot {
  const isTransfer = header.kind === 'transfer'
  // In the order in which they will be read, whatever the order in which they were sent.
  const parts = isTransfer ? [] : others.toSorted((a, b) => a.line - b.line)
  const fees = isTransfer
    ? feesIn(others).filter(({ accountId }) => accountId === own.accountId)
    : []
  const whole = labelsAt(labels, WHOLE)
  return compact({
    kind: header.kind,
    date: header.date,
    time: header.time,
    description: header.description,
    amountMinor: own.amountMinor,
    originalAmountMinor: header.originalAmountMinor,
    originalCurrency: header.originalCurrency,
    rate: header.rate,
    payeeId: whole.payeeId,
    payeeRaw: header.payeeRaw,
    categoryId: parts.length > 1 ? null : (parts[0] ?? own).categoryId,
    tagIds: whole.tagIds,
    status: own.status,
    reviewed: header.reviewed,
    splits: parts.length > 1 ? parts.map((part) => partOf(part, own, legs, labels)) : [],
    counterAccountId: counter?.accountId,
    fees: fees.map(({ line, amountMinor, categoryId, note }) =>
      compact<FeeSnapshot>({ line, amountMinor, categoryId, note }),
    ),
    externalId: own.externalId,
    source: header.source === 'user' ? null : header.source,
    note: header.note,
    location: header.location === null ? null : JSON.parse(header.location),
    metadata: header.metadata === null ? null : JSON.parse(header.metadata),
    recurringId: header.recurringId,
    recurringDate: header.recurringDate,
    private: header.private,
    excludeFromReports: header.excludeFromReports,
  })
}

const partOf = (part: Entry, own: Entry, legs: Entry[], labels: Labels): PartSnapshot => {
  const { payeeId, tagIds } = labelsAt(labels, part.line)
  return compact({
    line: part.line,
    amountMinor: own.amountMinor < 0 ? part.amountMinor : negate(part.amountMinor),
    categoryId: part.categoryId,
    payeeId,
    tagIds,
    note: part.note,
    counterAccountId: legs.find(({ pair }) => pair === part.line)?.accountId,
  })
}

/** Leaves out what says nothing. A loop, as there is one of these for each line that is booked. */
function compact<Kept extends object>(fields: Record<string, unknown>): Kept {
  const kept: Record<string, unknown> = {}
  for (const name of Object.keys(fields)) {
    const value = fields[name]
    const isEmpty =
      value === null ||
      value === undefined ||
      value === false ||
      value === '' ||
      (Array.isArray(value) && value.length === 0)
    if (!isEmpty) {
      kept[name] = value
    }
  }
  return kept as Kept
}

/** The effect of an adjustment alone on the balance of its account, for the account's history. */
export interface Adjusted {
  accountId: string
  date: string
  changeMinor: number
}

/** Undefined where nothing was adjusted, or an adjustment came and went on another account. */
export function adjustedBy(
  accountId: string,
  before: Snapshot | undefined,
  after: Snapshot | undefined,
): Adjusted | undefined {
  const shown = [after, before].find((snapshot) => snapshot?.kind === 'adjustment')
  if (!shown) {
    return undefined
  }
  const minorOf = (snapshot: Snapshot | undefined) =>
    snapshot && snapshot.status !== 'void' ? snapshot.amountMinor : 0
  const changeMinor = add(minorOf(after), negate(minorOf(before)))
  return changeMinor === 0 ? undefined : { accountId, date: shown.date, changeMinor }
}
