import { formatRate, parseRate } from '../../../../domain/exchange.ts'
import { accountsMoved, fieldsThatDiffer, isSameBooking } from '../../../../domain/comparing.ts'
import { type Entry, singleEntries } from '../../../../domain/ledger.ts'
import { parseMoney } from '../../../../domain/money.ts'
import type { BookingRight } from '../../../identity/access/access.public.ts'
import {
  type Bookable,
  isSameLabels,
  type Labels,
  labelsOf,
  type Named,
  rowsOfOwner,
} from '../../../../ledger/labels/labels.public.ts'
import {
  entriesOf,
  type Header,
  type LedgerRow,
  hidesAccount,
  othersOf,
  requireAsReconciled,
  requireUnreconciled,
  type Amendment,
  type Forced,
} from '../../../../ledger/ledger.public.ts'
import type { PartAccount } from '../splits/parts.rules.ts'
import { labelsAfter, requireLabels } from '../labels/labels.rules.ts'
import { transactionErrors as errors } from '../transactions.errors.ts'
import {
  bookingOf,
  changedBooking,
  requireCategories,
  type TransactionChanges,
} from '../transactions.rules.ts'

type BookableLabels = Bookable[]

/** The things that a request for a change refers to, each with its field, and those of them that the caller has. */
export interface ChangeInput {
  named: { categories: Named[]; payees: Named[]; tags: Named[] }
  /** The account that it moves to and those that its parts name, as far as they are seen. */
  accounts: PartAccount[]
  categories: (Bookable & { kind: string })[]
  payees: BookableLabels
  tags: BookableLabels
}

/** For a change that no request sends, so that its labels are not checked. */
export const NOTHING_NAMED: ChangeInput = {
  named: { categories: [], payees: [], tags: [] },
  ...{ accounts: [], categories: [], payees: [], tags: [] },
}

/** The effect of a change on a transaction. */
export interface Effect {
  columns: Partial<Header>
  /** All of them, also where they are as they were. */
  entries: Entry[]
  labels: Labels
  isRebooked: boolean
  /** The right that the change requires. */
  right: BookingRight
  isRelabelled: boolean
  /** True if the transaction stays as it is. */
  isSame: boolean
  /** The accounts that it is seen from, before and after. */
  accountIds: string[]
  forced?: true
  facts?: Record<string, unknown> | undefined
}

/** The writes of the journal for an effect. */
export const amendmentOf = (row: LedgerRow, effect: Effect): Amendment => ({
  row,
  columns: effect.columns,
  entries: effect.isRebooked ? effect.entries : undefined,
  labels: effect.isRelabelled ? effect.labels : undefined,
  right: effect.right,
  on: effect.accountIds,
  ...(effect.forced ? { forced: effect.forced } : {}),
  ...(effect.facts ? { facts: effect.facts } : {}),
})

/**
 * Decides a change of a stored row, or refuses it.
 * @param before its entries, where the same commit changed them already through another leg
 */
export function decideChange(
  row: LedgerRow,
  wanted: TransactionChanges,
  given: ChangeInput,
  before: Entry[] = entriesOf(row),
): Effect {
  const entries = entriesAfter(row, before, wanted, given)
  const labelsBefore = labelsOf(row)
  const { ownerId } = row
  requireLabels(
    given.named,
    { payees: rowsOfOwner(ownerId, given.payees), tags: rowsOfOwner(ownerId, given.tags) },
    labelsBefore,
  )
  const isLeg = row.pair !== null
  const labels = isLeg ? labelsBefore : labelsAfter(labelsBefore, wanted, entries)
  const columns = isLeg ? {} : columnsOfChanges(wanted)
  // A part without an id is new, also where it gets the line of one that it replaces.
  const hasNewParts = wanted.splits?.some((part) => part.id === undefined) ?? false
  const isRebooked = hasNewParts || !isSameBooking(before, entries)
  const isRelabelled = !isSameLabels(labelsBefore, labels)
  const isSame = !isRebooked && !isRelabelled && hasColumns(row, columns)
  const forced = requireAsReconciled(
    row,
    { columns, before, after: entries },
    wanted,
    errors.reconciled,
  )
  const moved = accountsMoved(before, entries)
  if (moved.some((id) => hidesAccount(row, id))) {
    throw errors.partHidden()
  }
  return {
    columns,
    entries,
    labels,
    isRebooked,
    right: !hasNewParts && moved.length === 0 ? 'annotate' : 'write',
    isRelabelled,
    isSame,
    accountIds: [...new Set([row.accountId, ...moved])],
    facts: wanted.facts,
    ...forced,
  }
}

/**
 * Several sides of a transaction may be changed at once: what the second adds to what the first did.
 * @param asSent the second by the request alone: what that says, it said to the first
 */
export const joinedEffects = (first: Effect | undefined, second: Effect, asSent = second): Effect =>
  first
    ? {
        ...second,
        columns: {
          ...asSent.columns,
          ...first.columns,
          ...fieldsThatDiffer(second.columns, asSent.columns),
        },
        labels: first.isRelabelled
          ? { ...first.labels, ...fieldsThatDiffer(second.labels, asSent.labels) }
          : second.labels,
        isRelabelled: second.isRelabelled || first.isRelabelled,
        isRebooked: second.isRebooked || first.isRebooked,
        right: first.right === 'write' ? 'write' : second.right,
        accountIds: [...first.accountIds, ...second.accountIds],
      }
    : second

function hasColumns(row: LedgerRow, columns: Partial<Header>): boolean {
  const stored = new Map<string, unknown>(Object.entries(row))
  return Object.entries(columns).every(
    ([name, value]) => stored.get(name) === (typeof value === 'boolean' ? Number(value) : value),
  )
}

/** Refuses to hide another user's booking: the caller would not see it any more. */
export function requireMayHide(
  { ownerId, createdBy }: Pick<LedgerRow, 'ownerId' | 'createdBy'>,
  wanted: TransactionChanges,
  userId: string,
  field = 'private',
): void {
  if (wanted.private !== undefined && ![ownerId, createdBy].includes(userId)) {
    throw errors.privateIsOwn({ field })
  }
}

/** Decides that a stored row goes to the trash by itself, or refuses it. */
export function removalOf(row: LedgerRow, force?: boolean): Forced {
  if (row.pair !== null) {
    throw errors.partLeg()
  }
  if (row.kind === 'opening') {
    throw errors.opening()
  }
  if (row.kind === 'transfer') {
    throw errors.transferLeg()
  }
  if (othersOf(row).some(({ accountId }) => hidesAccount(row, accountId))) {
    throw errors.partHidden()
  }
  return requireUnreconciled(row, { force }, errors.reconciled)
}

function entriesAfter(
  row: LedgerRow,
  before: Entry[],
  wanted: TransactionChanges,
  { named, accounts, categories }: ChangeInput,
): Entry[] {
  const { kind, transactionId, ownerId } = row
  if (row.pair !== null) {
    return entriesOfLeg(row, row.pair, before, wanted)
  }
  if (kind === 'transfer' || kind === 'opening') {
    return dependentEntries(kind, row.accountId, before, wanted)
  }
  const account = accounts.find(({ id }) => id === wanted.accountId)
  if (wanted.accountId !== undefined && !account) {
    throw errors.unknownAccount({ field: 'accountId' })
  }
  if (account && account.ownerId !== ownerId) {
    throw errors.otherOwner({ field: 'accountId' })
  }
  requireCategories(wanted.kind ?? kind, named.categories, rowsOfOwner(ownerId, categories), before)
  const target = account && {
    accountId: account.id,
    ownerId: account.ownerId,
    currency: account.currency,
  }
  const booking = changedBooking(transactionId, bookingOf(kind, before), wanted, target, accounts)
  const ofExpenses = rowsOfOwner(ownerId, categories).filter((one) => one.kind === 'expense')
  return singleEntries({
    ...booking,
    expenseCategoryIds: new Set([
      ...booking.expenseCategoryIds,
      ...(wanted.expenseCategoryIds ?? []),
      ...ofExpenses.map(({ id }) => id),
    ]),
    lastLine: Math.max(row.lastLine, ...before.map(({ line }) => line)),
  })
}

const SUBSTANCE: (keyof TransactionChanges)[] = [
  ...(['kind', 'accountId', 'date', 'amount', 'originalAmount', 'originalCurrency'] as const),
  ...(['rate', 'categoryId', 'splits'] as const),
]

/** The entries of a leg or an opening after a change, of which only the status reaches them. */
function dependentEntries(
  kind: 'transfer' | 'opening',
  accountId: string,
  entries: Entry[],
  wanted: TransactionChanges,
): Entry[] {
  const refused = kind === 'transfer' ? errors.transferLeg : errors.opening
  const field = SUBSTANCE.find((name) => wanted[name] !== undefined)
  if (field) {
    throw refused({ field })
  }
  const { status } = wanted
  return entries.map((entry) => {
    if (status === undefined || entry.accountId !== accountId || entry.status === status) {
      return entry
    }
    // Half a transfer cannot be void: money would leave here and arrive nowhere. Nor can an opening: the
    // account would open with other than it says.
    if ([status, entry.status].includes('void')) {
      throw refused({ field: 'status' })
    }
    return { ...entry, status }
  })
}

/** The fields that the other side of a part has of its own. */
const OF_LEGS = new Set(['status', 'note', 'payeeRaw', 'force'])

/**
 * The entries after a change of the other side of a part: its status and the text of its bank are its own, and its note is that of the
 * part.
 */
function entriesOfLeg(
  { line }: LedgerRow,
  pair: number,
  entries: Entry[],
  wanted: TransactionChanges,
): Entry[] {
  const other = Object.entries(wanted).find(
    ([field, value]) => value !== undefined && !OF_LEGS.has(field),
  )
  if (other) {
    throw errors.partLeg({ field: other[0] })
  }
  const { status, note, payeeRaw } = wanted
  const own = entries.find((entry) => entry.line === line)
  if (status !== undefined && status !== own?.status && [status, own?.status].includes('void')) {
    throw errors.partLeg({ field: 'status' })
  }
  return entries.map((entry) => {
    if (entry.line === pair) {
      return note === undefined ? entry : { ...entry, note }
    }
    if (entry.line !== line && entry.line !== line + 1) {
      return entry
    }
    return {
      ...entry,
      status: status ?? entry.status,
      payeeRaw: payeeRaw === undefined || entry.line !== line ? entry.payeeRaw : payeeRaw,
    }
  })
}

/** The columns of the header that a request sets; what it leaves out is not among them. */
export function columnsOfChanges(wanted: TransactionChanges): Partial<Header> {
  const { rate } = wanted
  const columns = {
    kind: wanted.kind,
    date: wanted.date,
    description: wanted.description,
    time: wanted.time,
    payeeRaw: wanted.payeeRaw,
    reviewed: wanted.reviewed,
    private: wanted.private,
    excludeFromReports: wanted.excludeFromReports,
    note: wanted.note,
    location: asJson(wanted.location),
    metadata: asJson(wanted.metadata),
    rate: rate && formatRate(parseRate(rate, 'rate')),
    ...originalOf(wanted),
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

const asJson = (value: object | null | undefined) => value && JSON.stringify(value)

function originalOf({ originalAmount, originalCurrency }: TransactionChanges): Partial<Header> {
  if (originalAmount && originalCurrency) {
    const rules = { allowZero: false, field: 'originalAmount' }
    const originalAmountMinor = parseMoney(originalAmount, originalCurrency, rules)
    return { originalAmountMinor, originalCurrency }
  }
  if (originalAmount || originalCurrency) {
    const field = originalAmount ? 'originalCurrency' : 'originalAmount'
    throw errors.originalIncomplete({ field })
  }
  return originalAmount === undefined && originalCurrency === undefined
    ? {}
    : { originalAmountMinor: null, originalCurrency: null }
}
