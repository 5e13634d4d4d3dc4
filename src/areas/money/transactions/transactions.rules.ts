import { checkAll } from '../../../domain/errors.ts'
import {
  type Entry,
  expenseCategoriesOf,
  type Kind,
  type Leg,
  legOf,
  type Split,
  type Status,
} from '../../../domain/ledger.ts'
import { add, formatMoney, negate, parseMoney } from '../../../domain/money.ts'
import type { Named } from '../../../ledger/labels/labels.public.ts'
import type { AccountWanted } from '../accounts/accounts.public.ts'
import { type PartAccount, withStatusOf } from './splits/parts.rules.ts'
import { readSplits, type SplitInput, splitFrom, sumOfSplits } from './splits/splits.rules.ts'
import { transactionErrors as errors } from './transactions.errors.ts'

/** The kinds with one account that are booked by hand. */
export type SingleKind = Exclude<Kind, 'transfer' | 'opening'>

/** Absent means left alone; null clears. */
type Optional<T> = T | null | undefined

/** The fields that transactions of all kinds have. */
interface Details {
  description?: string | undefined
  time?: Optional<string>
  payeeRaw?: Optional<string>
  payeeId?: Optional<string>
  tagIds?: string[] | undefined
  status?: Status | undefined
  reviewed?: boolean | undefined
  note?: Optional<string>
  location?: Optional<{ lat: number; lon: number; name: string }>
  metadata?: Optional<Record<string, unknown>>
  private?: boolean | undefined
  excludeFromReports?: boolean | undefined
}

/** The fields that the leg of a transfer takes from the transfer, and an opening balance from its account. */
interface Substance {
  kind?: SingleKind | undefined
  accountId?: string | undefined
  date?: string | undefined
  amount?: string | undefined
  originalAmount?: Optional<string>
  originalCurrency?: Optional<string>
  rate?: Optional<string>
  categoryId?: Optional<string>
  /** The ids of its categories of the kind `expense`, as far as they are known. */
  expenseCategoryIds?: string[] | undefined
  splits?: SplitInput[] | undefined
}

export type TransactionChanges = Details &
  Substance & {
    /** True if it may change something reconciled. */
    force?: boolean | undefined
    /** Facts for the log, which stand in the events of the transaction. */
    facts?: Record<string, unknown> | undefined
  }

export interface NewTransaction extends Details, Substance {
  kind: SingleKind
  accountId: string
  date: string
  amount: string
  status: Status
  externalId?: Optional<string>
}

/** A transaction as a request records it: names may stand where ids could. */
export interface SentTransaction extends Omit<NewTransaction, 'accountId' | 'splits' | 'status'> {
  /** `uncleared` where neither the request nor a hook says it. */
  status?: Status | undefined
  accountId?: string | undefined
  accountName?: string | undefined
  categoryName?: string | undefined
  payeeName?: string | undefined
  splits?:
    | (SplitInput & { categoryName?: string | undefined; payeeName?: string | undefined })[]
    | undefined
  createMissing?: boolean | undefined
  /** True if it may be booked in a period under a soft lock. */
  force?: boolean | undefined
  /** False leaves rules and the usual category of the payee out. */
  applyRules?: boolean | undefined
}

/** A draft whose account is known. */
export type PlacedTransaction = SentTransaction & {
  accountId: string
  ownerId: string
  currency: string
  ruleSet?: number | undefined
}

type PlaceOfTransaction = Pick<PlacedTransaction, 'ownerId' | 'currency' | 'ruleSet'> & {
  id: string
}

export const accountWanted = ({ accountId, accountName }: SentTransaction): AccountWanted => ({
  id: accountId,
  name: accountName,
  field: 'account',
})

/** @throws AppError `transactions.categoryOnAdjustment` before a category that is named would be looked for or created */
export function placedOn(
  { id: accountId, ownerId, currency, ruleSet }: PlaceOfTransaction,
  sent: SentTransaction,
): PlacedTransaction {
  if (sent.kind === 'adjustment' && sent.categoryName !== undefined) {
    throw errors.categoryOnAdjustment({ field: 'categoryName' })
  }
  if (sent.categoryName !== undefined && sent.splits && sent.splits.length > 0) {
    throw errors.categoryAndSplits({ field: 'categoryName' })
  }
  return { ...sent, accountId, ownerId, currency, ruleSet }
}

/** Everything that decides the entries of a transaction with one account. */
export interface Booking {
  kind: SingleKind
  leg: Leg
  date: string
  /** The amount as seen from the account. */
  signedMinor: number
  categoryId: string | null
  splits: Split[]
  /** The ids of its categories of the kind `expense`. */
  expenseCategoryIds: ReadonlySet<string>
}

type Account = Pick<Leg, 'accountId' | 'ownerId' | 'currency'>

/** @param accounts those that its parts name */
export function newBooking(
  id: string,
  wanted: NewTransaction,
  account: Account,
  accounts: PartAccount[],
): Booking {
  const { kind, amount, date, status, externalId = null, categoryId = null, splits = [] } = wanted
  const { currency } = account
  const leg = { ...account, status, externalId }
  const whole = { leg, accounts, keptCurrency: currency }
  const [signedMinor, parts] = checkAll(
    () => signedAmount(kind, amount, currency),
    () => readSplits(splits, whole, { transactionId: id, known: [] }),
  )
  const expenseCategoryIds = new Set(wanted.expenseCategoryIds)
  return sound({ kind, leg, date, signedMinor, categoryId, splits: parts, expenseCategoryIds })
}

/** The booking after a change; the whole must be one that could have been created. */
export function changedBooking(
  id: string,
  now: Booking,
  wanted: TransactionChanges,
  account: Account = now.leg,
  accounts: PartAccount[] = [],
): Booking {
  const { kind = now.kind, date = now.date, status = now.leg.status } = wanted
  const { currency } = account
  requireResent(now, wanted, currency)
  const leg = { ...now.leg, ...account, status }
  const whole = { leg, accounts, keptCurrency: now.leg.currency }
  if (wanted.splits?.length === 0 && now.splits.some(({ transfer }) => transfer)) {
    throw errors.hasTransferPart({ field: 'splits' })
  }
  const splits = withStatusOf(
    wanted.splits
      ? readSplits(wanted.splits, whole, { transactionId: id, known: now.splits })
      : now.splits,
    status,
  )
  requireOthers(splits, leg.accountId)
  // Parts take the place of the category that the whole had.
  const kept = splits.length > 0 ? null : now.categoryId
  const booking = sound({
    ...now,
    kind,
    leg,
    date,
    signedMinor:
      wanted.amount === undefined
        ? withSignOf(kind, now.signedMinor)
        : signedAmount(kind, wanted.amount, currency),
    categoryId: wanted.categoryId === undefined ? kept : wanted.categoryId,
    splits,
  })
  requireKindOfKept(now, wanted, booking)
  return booking
}

/** A transaction does not move to an account that a part of it is a transfer with. */
function requireOthers(splits: Split[], accountId: string): void {
  if (splits.some(({ transfer }) => transfer?.leg.accountId === accountId)) {
    throw errors.partSelf({ field: 'accountId' })
  }
}

/** Amounts in the old currency mean something else in the new one. */
function requireResent(now: Booking, wanted: TransactionChanges, currency: string): void {
  if (currency === now.leg.currency) {
    return
  }
  if (wanted.amount === undefined) {
    throw errors.otherCurrency({ field: 'amount' })
  }
  if (wanted.splits === undefined && now.splits.length > 0) {
    throw errors.otherCurrency({ field: 'splits' })
  }
}

/** An income that becomes an expense keeps the categories of expenses alone. */
function requireKindOfKept(now: Booking, wanted: TransactionChanges, booking: Booking): void {
  if (booking.kind !== 'expense' || now.kind === 'expense') {
    return
  }
  const isOfIncome = ({ categoryId, transfer }: Pick<Split, 'categoryId' | 'transfer'>) =>
    categoryId !== null && !transfer && !now.expenseCategoryIds.has(categoryId)
  if (wanted.categoryId === undefined && isOfIncome(booking)) {
    throw errors.categoryKind({ field: 'categoryId' })
  }
  if (!wanted.splits && booking.splits.some(isOfIncome)) {
    throw errors.categoryKind({ field: 'splits' })
  }
}

/** Only an adjustment says by its sign which way it goes. */
function signedAmount(kind: SingleKind, amount: string, currency: string): number {
  const signed = kind === 'adjustment'
  return withSignOf(
    kind,
    parseMoney(amount, currency, { signed, allowZero: false, field: 'amount' }),
  )
}

function withSignOf(kind: SingleKind, minor: number): number {
  if (kind === 'adjustment') {
    return minor
  }
  return kind === 'income' ? Math.abs(minor) : negate(Math.abs(minor))
}

function sound(booking: Booking): Booking {
  const { kind, categoryId, splits, signedMinor } = booking
  if (kind === 'adjustment' && (categoryId !== null || splits.length > 0)) {
    throw errors.categoryOnAdjustment({ field: categoryId === null ? 'splits' : 'categoryId' })
  }
  if (categoryId !== null && splits.length > 0) {
    throw errors.categoryAndSplits({ field: 'categoryId' })
  }
  if (splits.length > 0) {
    requireSum(sumOfSplits(splits), Math.abs(signedMinor), booking.leg.currency)
  }
  return booking
}

function requireSum(partsMinor: number, amountMinor: number, currency: string): void {
  if (partsMinor !== amountMinor) {
    const formatted = (minor: number) => formatMoney(minor, currency)
    const difference = add(partsMinor, negate(amountMinor))
    const values = {
      ...{ sum: formatted(partsMinor), currency, amount: formatted(amountMinor) },
      ...{ difference: formatted(Math.abs(difference)), side: difference > 0 ? 'more' : 'less' },
    }
    throw errors.splitSum(values, { field: 'splits' })
  }
}

/** The booking behind the entries of a transaction with one account, in the order of their lines. */
export function bookingOf(kind: SingleKind, entries: Entry[]): Booking {
  const [own, ...rest] = entries
  if (!own) {
    throw new Error('bookingOf: a transaction has entries')
  }
  const others = rest.filter(({ pair }) => pair === null)
  const { date, amountMinor } = own
  const isSplit = others.length > 1
  return {
    kind,
    leg: legOf(own),
    date,
    signedMinor: amountMinor,
    categoryId: isSplit ? null : (others[0]?.categoryId ?? null),
    splits: isSplit ? others.map((part) => splitFrom(part, amountMinor, rest)) : [],
    expenseCategoryIds: new Set(expenseCategoriesOf(others)),
  }
}

interface NamedCategory extends Named {
  /** Set if a part that is a transfer has it. */
  isOfTransfer?: true
}

/** The categories that a request names, each with the field that names it. */
export const categoriesInRequest = ({
  categoryId,
  splits = [],
}: Pick<Substance, 'categoryId' | 'splits'>): NamedCategory[] =>
  [
    { id: categoryId, field: 'categoryId' },
    ...splits.map(({ categoryId: id, transferAccountId }, at) => ({
      ...{ id, field: `splits.${at}.categoryId` },
      ...(transferAccountId ? { isOfTransfer: true as const } : {}),
    })),
  ].flatMap(({ id, ...named }) => (id ? [{ id, ...named }] : []))

/**
 * @param known the caller's categories among those that are named
 * @param before the entries of a transaction that is changed: what they have may stay, archived or not
 */
export function requireCategories(
  kind: SingleKind,
  named: NamedCategory[],
  known: { id: string; kind: string; archived: boolean }[],
  before: Entry[] = [],
): void {
  const byId = new Map(known.map((category) => [category.id, category]))
  checkAll(
    ...named.map(({ id, field, isOfTransfer }) => () => {
      const category = byId.get(id)
      if (!category) {
        throw errors.unknownCategory({ field })
      }
      // An income may have a category of expenses, as a refund; an adjustment has none of either kind.
      if ((kind === 'expense' || isOfTransfer) && category.kind === 'income') {
        throw errors.categoryKind({ field })
      }
      if (category.archived && !before.some(({ categoryId }) => categoryId === id)) {
        throw errors.archivedCategory({ field })
      }
    }),
  )
}
