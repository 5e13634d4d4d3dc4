import { convert, formatRate, parseRate, toRate } from '../../../domain/exchange.ts'
import type { Leg, Status, Transfer } from '../../../domain/ledger.ts'
import { add, negate, parseMoney } from '../../../domain/money.ts'
import type { AccountWanted } from '../accounts/accounts.public.ts'
import { transferErrors as errors } from './transfers.errors.ts'

/** Absent means left alone. */
export interface TransferChanges {
  fromAccountId?: string | undefined
  toAccountId?: string | undefined
  date?: string | undefined
  amount?: string | undefined
  toAmount?: string | undefined
  rate?: string | undefined
  /** Null takes it away. */
  fee?: { amount: string; categoryId?: string | null | undefined } | null | undefined
  description?: string | undefined
  note?: string | null | undefined
  tagIds?: string[] | undefined
  status?: Status | undefined
  /** Whether it may change what is reconciled. */
  force?: boolean | undefined
}

export interface NewTransfer extends TransferChanges {
  date: string
  amount: string
  status: Status
}

/** A transfer as a request records it: names may stand where ids could. */
export interface SentTransfer extends Omit<NewTransfer, 'fee'> {
  fromAccountName?: string | undefined
  toAccountName?: string | undefined
  fee?: (NonNullable<NewTransfer['fee']> & { categoryName?: string | undefined }) | null | undefined
  createMissing?: boolean | undefined
}

/** By what it says which accounts it means. */
export const accountsWanted = (sent: SentTransfer): Record<'from' | 'to', AccountWanted> => ({
  from: { id: sent.fromAccountId, name: sent.fromAccountName, field: 'fromAccount' },
  to: { id: sent.toAccountId, name: sent.toAccountName, field: 'toAccount' },
})

/** A transfer in minor units; with a rate, what arrives follows from what leaves. */
export interface Plan extends Transfer {
  rate: string | null
}

type Legs = Pick<Transfer, 'from' | 'to'>

export function newPlan(wanted: NewTransfer, legs: Legs): Plan {
  const { date, amount } = wanted
  return planOf(wanted, legs, { date, amountMinor: amountIn(legs.from.currency, amount) })
}

export function changedPlan(now: Plan, wanted: TransferChanges, legs: Legs): Plan {
  const { amount, date = now.date } = wanted
  const { currency } = legs.from
  if (currency !== now.from.currency) {
    requireResent(now, wanted)
  }
  const amountMinor = amount === undefined ? now.amountMinor : amountIn(currency, amount)
  return planOf(wanted, legs, { date, amountMinor }, now)
}

/** Amounts in the old currency mean something else in the new one. */
function requireResent(now: Plan, { amount, fee }: TransferChanges): void {
  if (amount === undefined) {
    throw errors.otherCurrency({ field: 'amount' })
  }
  if (fee === undefined && now.fee) {
    throw errors.otherCurrency({ field: 'fee' })
  }
}

function planOf(
  wanted: TransferChanges,
  { from, to }: Legs,
  { date, amountMinor }: { date: string; amountMinor: number },
  now?: Plan,
): Plan {
  if (from.accountId === to.accountId) {
    throw errors.sameAccount({ field: 'toAccountId' })
  }
  const fee = wanted.fee === undefined ? (now?.fee ?? null) : feeIn(from.currency, wanted.fee)
  const movedMinor = add(amountMinor, negate(fee?.amountMinor ?? 0))
  const arrival = arrivalOf(movedMinor, wanted, { from, to }, now)
  return { from, to, date, amountMinor, fee, ...arrival }
}

type Arrival = Pick<Plan, 'toAmountMinor' | 'rate'>

/** Returns the amount that arrives: as sent, else by the rate, else as before. Within one currency it is all that moved. */
function arrivalOf(
  movedMinor: number,
  { toAmount, rate }: TransferChanges,
  { from, to }: Legs,
  now: Plan | undefined,
): Arrival {
  if (toAmount !== undefined && rate !== undefined) {
    throw errors.toAmountOrRate({ field: 'rate' })
  }
  if (toAmount !== undefined) {
    return { toAmountMinor: amountIn(to.currency, toAmount, 'toAmount'), rate: null }
  }
  if (from.currency === to.currency) {
    if (rate !== undefined) {
      throw errors.rateWithinCurrency({ field: 'rate' })
    }
    return { toAmountMinor: movedMinor, rate: null }
  }
  const isSamePair = now?.from.currency === from.currency && now.to.currency === to.currency
  const kept = isSamePair ? now : undefined
  const rateText = rate ?? kept?.rate
  if (rateText) {
    return convertedBy(parseRate(rateText, 'rate'), movedMinor, { from, to })
  }
  if (!kept) {
    throw errors.toAmountNeeded({ field: 'toAmount' })
  }
  return { toAmountMinor: kept.toAmountMinor, rate: null }
}

function convertedBy(scaled: bigint, movedMinor: number, { from, to }: Legs): Arrival {
  const toAmountMinor = convert(movedMinor, from.currency, to.currency, toRate(scaled))
  if (toAmountMinor === 0 && movedMinor > 0) {
    throw errors.arrivesAsZero({ field: 'rate' })
  }
  return { toAmountMinor, rate: formatRate(scaled) }
}

const amountIn = (currency: string, text: string, field = 'amount') =>
  parseMoney(text, currency, { allowZero: false, field })

const feeIn = (currency: string, fee: NonNullable<TransferChanges['fee']> | null) =>
  fee && {
    amountMinor: amountIn(currency, fee.amount, 'fee.amount'),
    categoryId: fee.categoryId ?? null,
  }

/**
 * @param known the category of the fee, if it is the caller's
 * @param now the transfer that is changed: the category that it has may stay, archived or not
 */
export function requireFeeCategory(
  { fee }: { fee?: { categoryId?: string | null | undefined } | null | undefined },
  known: { kind: string; archived: boolean } | undefined,
  now?: Transfer,
): void {
  if (!fee?.categoryId) {
    return
  }
  if (!known) {
    throw errors.unknownCategory({ field: 'fee.categoryId' })
  }
  if (known.kind !== 'expense') {
    throw errors.categoryKind({ field: 'fee.categoryId' })
  }
  if (known.archived && fee.categoryId !== now?.fee?.categoryId) {
    throw errors.archivedCategory({ field: 'fee.categoryId' })
  }
}

/** Every transaction has one owner, and its labels are that one's. */
export function requireOneOwner(from: Pick<Leg, 'ownerId'>, to: Pick<Leg, 'ownerId'>): void {
  if (from.ownerId !== to.ownerId) {
    throw errors.otherOwner()
  }
}

interface Account {
  id: string
  ownerId: string
  currency: string
}

export const newLeg = ({ id, ownerId, currency }: Account, status: Status): Leg => ({
  accountId: id,
  ownerId,
  currency,
  status,
  externalId: null,
})

/** The leg after a change: on the other account, if there is one, with the other status, if there is one. */
export const changedLeg = (
  now: Leg,
  account: Account | undefined,
  status: Status = now.status,
): Leg =>
  account ? { ...newLeg(account, status), externalId: now.externalId } : { ...now, status }
