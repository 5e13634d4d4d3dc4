import type { Kind } from '../../../../domain/ledger.ts'
import { allocate, formatMoney, parseMoney } from '../../../../domain/money.ts'
import { transactionErrors as errors } from '../transactions.errors.ts'
import type { Booking, TransactionChanges } from '../transactions.rules.ts'

export const TRANSACTION_LINK_KINDS = [
  'refundOf',
  'reimburses',
  'feeOf',
  'partOf',
  'custom',
] as const

export type TransactionLinkKind = (typeof TRANSACTION_LINK_KINDS)[number]

/** One of the two that are linked. */
export interface End {
  transactionId: string
  kind: Kind
  currency: string
  /** The amount of it that can be given back; never negative. */
  amountMinor: number
  /** Amount that links already cover, in its currency. */
  linkedMinor: number
}

/** The amount of the target that a link covers, in its currency; nothing where no amount is meant. */
export type LinkCoverage =
  | { amountMinor: number; currency: string }
  | { amountMinor: null; currency: null }

/** The required kinds of the source and the target of a link. An absent kind means any. */
const KINDS_OF: Record<TransactionLinkKind, { source?: Kind; target?: Kind }> = {
  refundOf: { source: 'income', target: 'expense' },
  reimburses: { source: 'income', target: 'expense' },
  feeOf: { source: 'expense' },
  partOf: {},
  custom: {},
}

const NAMES: Record<Kind, string> = {
  expense: 'an expense',
  income: 'an income',
  transfer: 'a transfer',
  adjustment: 'an adjustment',
  opening: 'an opening balance',
}

const named = (kind: Kind | undefined) => (kind === undefined ? 'any transaction' : NAMES[kind])

/** Only these give money back. */
export const isCovering = (kind: TransactionLinkKind) =>
  kind === 'refundOf' || kind === 'reimburses'

/** @param left how much two transactions still have to link */
export const linkedTooMuch = (left: string) => errors.linkedTooMuch({ left }, { field: 'amount' })

/**
 * Returns the amount that a new link covers, or refuses the link.
 * @param amount decimal text in the currency of the target; without it all that both have left
 */
export function coverageOfLink(
  kind: TransactionLinkKind,
  amount: string | undefined,
  source: End,
  target: End,
): LinkCoverage {
  if (source.transactionId === target.transactionId) {
    throw errors.linkedToItself({ field: 'transactionId' })
  }
  const wanted = KINDS_OF[kind]
  if (
    (wanted.source ?? source.kind) !== source.kind ||
    (wanted.target ?? target.kind) !== target.kind
  ) {
    throw errors.linkKinds(
      {
        link: kind,
        from: named(wanted.source),
        to: named(wanted.target),
        source: named(source.kind),
        target: named(target.kind),
      },
      { field: 'kind' },
    )
  }
  if (!isCovering(kind)) {
    if (amount !== undefined) {
      throw errors.linkWithoutAmount({ field: 'amount' })
    }
    return { amountMinor: null, currency: null }
  }
  const { currency } = target
  const ends = source.currency === currency ? [source, target] : [target]
  if (amount === undefined && ends.length === 1) {
    throw errors.linkAmountNeeded({ field: 'amount' })
  }
  const left = Math.min(...ends.map(({ amountMinor, linkedMinor }) => amountMinor - linkedMinor))
  const rules = { allowZero: false, field: 'amount' }
  const amountMinor = amount === undefined ? left : parseMoney(amount, currency, rules)
  if (left <= 0 || amountMinor > left) {
    throw linkedTooMuch(`${formatMoney(Math.max(left, 0), currency)} ${currency}`)
  }
  return { amountMinor, currency }
}

type Categorised = Pick<Booking, 'categoryId' | 'splits'>

/**
 * The category that an income takes from the expense that it pays back. Of a split expense it takes parts, in proportion to those
 * that cost something. Undefined where the income is split or has a category, or where the expense has none.
 */
export function categoryFrom(
  income: Categorised & Pick<Booking, 'signedMinor' | 'leg'>,
  expense: Categorised,
): Pick<TransactionChanges, 'categoryId' | 'splits'> | undefined {
  if (income.categoryId !== null || income.splits.length > 0) {
    return undefined
  }
  const parts = expense.splits.filter(({ amountMinor, transfer }) => amountMinor > 0 && !transfer)
  const { categoryId } = expense
  if (parts.length === 0) {
    return categoryId === null ? undefined : { categoryId }
  }
  const shares = allocate(
    income.signedMinor,
    parts.map(({ amountMinor }) => amountMinor),
  )
  const taken = parts
    .map((part, at) => ({ categoryId: part.categoryId, minor: shares[at] ?? 0 }))
    .filter(({ minor }) => minor !== 0)
  if (taken.every((part) => part.categoryId === null)) {
    return undefined
  }
  const [first, ...others] = taken
  if (first && others.length === 0) {
    return { categoryId: first.categoryId }
  }
  const { currency } = income.leg
  return {
    splits: taken.map((part) => ({
      amount: formatMoney(part.minor, currency),
      categoryId: part.categoryId,
    })),
  }
}
