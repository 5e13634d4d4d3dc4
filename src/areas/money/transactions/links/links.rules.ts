import type { Kind } from '../../../../domain/ledger.ts'
import { parseMoney } from '../../../../domain/money.ts'
import { transactionErrors as errors } from '../transactions.errors.ts'

export const LINK_KINDS = ['refundOf', 'reimburses', 'feeOf', 'partOf', 'custom'] as const

export type LinkKind = (typeof LINK_KINDS)[number]

/** One of the two that are linked. */
export interface End {
  transactionId: string
  kind: Kind
  currency: string
  /** Never negative. */
  amountMinor: number
  /** Amount that links already cover, in its currency. */
  linkedMinor: number
}

/** How much of the target a link covers, in its currency; nothing where no amount is meant. */
export type Coverage =
  | { amountMinor: number; currency: string }
  | { amountMinor: null; currency: null }

/** The required kinds of the source and the target of a link. An absent kind means any. */
const KINDS_OF: Record<LinkKind, { source?: Kind; target?: Kind }> = {
  refundOf: { source: 'income', target: 'expense' },
  reimburses: { source: 'income', target: 'expense' },
  feeOf: { source: 'expense' },
  partOf: {},
  custom: {},
}

/** Only these give money back. */
const isCovering = (kind: LinkKind) => kind === 'refundOf' || kind === 'reimburses'

/**
 * What a new link covers, or why there can be none.
 * @param amount decimal text in the currency of the target; without it all that both have left
 */
export function coverageOf(
  kind: LinkKind,
  amount: string | undefined,
  source: End,
  target: End,
): Coverage {
  if (source.transactionId === target.transactionId) {
    throw errors.linkedToItself({ field: 'transactionId' })
  }
  const wanted = KINDS_OF[kind]
  if (
    (wanted.source ?? source.kind) !== source.kind ||
    (wanted.target ?? target.kind) !== target.kind
  ) {
    throw errors.linkKinds({ field: 'kind' })
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
    throw errors.linkedTooMuch({ field: 'amount' })
  }
  return { amountMinor, currency }
}
