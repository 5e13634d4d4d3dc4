import { convert, formatRate, parseRate, toRate } from '../../../../domain/exchange.ts'
import { checkAll } from '../../../../domain/errors.ts'
import {
  type Fee,
  type Leg,
  movedMinorOf,
  type Status,
  type Transfer,
} from '../../../../domain/ledger.ts'
import { parseMoney } from '../../../../domain/money.ts'
import { rankOf } from '../../../../domain/sharing.ts'
import {
  type Labels,
  labelsAt,
  labelsFrom,
  type Named,
  WHOLE,
} from '../../../../ledger/labels/labels.public.ts'
import {
  type Draft,
  type Header,
  lockRefusal,
  type TransferAccount,
} from '../../../../ledger/ledger.public.ts'
import type { AccountWanted } from '../../accounts/accounts.public.ts'
import { transferErrors as errors } from './transfers.errors.ts'

/** A fee as a request sends it. */
interface FeeInput {
  amount: string
  categoryId?: string | null | undefined
  note?: string | null | undefined
}

/** Absent means left alone. */
export interface TransferChanges {
  fromAccountId?: string | undefined
  toAccountId?: string | undefined
  date?: string | undefined
  amount?: string | undefined
  toAmount?: string | undefined
  rate?: string | undefined
  /** Null takes it off. */
  categoryId?: string | null | undefined
  /** The only fee, instead of `fees`; null takes all away. */
  fee?: Omit<FeeInput, 'note'> | null | undefined
  fees?: FeeInput[] | undefined
  description?: string | undefined
  note?: string | null | undefined
  tagIds?: string[] | undefined
  excludeFromReports?: boolean | undefined
  status?: Status | undefined
  /** True if it may change something reconciled. */
  force?: boolean | undefined
}

export interface NewTransfer extends TransferChanges {
  date: string
  amount: string
  status: Status
}

/** A transfer as a request records it: names may stand where ids could. */
export interface SentTransfer extends Omit<NewTransfer, 'fee' | 'fees' | 'status'> {
  /** As of a transaction. */
  status?: Status | undefined
  fromAccountName?: string | undefined
  toAccountName?: string | undefined
  categoryName?: string | undefined
  fee?: (NonNullable<NewTransfer['fee']> & { categoryName?: string | undefined }) | null | undefined
  fees?: (FeeInput & { categoryName?: string | undefined })[] | undefined
  createMissing?: boolean | undefined
  force?: boolean | undefined
  applyRules?: boolean | undefined
}

/** A transfer as the hooks of the ledger see it: its account is the one that pays. */
export type TransferDraft = SentTransfer & Draft & { kind: 'transfer' }

export const transferDraft = (sent: SentTransfer): TransferDraft => ({
  ...sent,
  kind: 'transfer',
  accountId: sent.fromAccountId,
  accountName: sent.fromAccountName,
})

/** By what it says which accounts it means. */
export const endsWanted = (sent: SentTransfer): Record<'from' | 'to', AccountWanted> => ({
  from: { id: sent.fromAccountId, name: sent.fromAccountName, field: 'fromAccount' },
  to: { id: sent.toAccountId, name: sent.toAccountName, field: 'toAccount' },
})

/** A transfer in minor units; with a rate, what arrives follows from what leaves. */
export interface TransferPlan extends Transfer {
  rate: string | null
}

type Legs = Pick<Transfer, 'from' | 'to'>

export function newTransferPlan(wanted: NewTransfer, legs: Legs): TransferPlan {
  const { date, amount } = wanted
  return planOf(wanted, legs, { date, amountMinor: amountIn(legs.from.currency, amount) })
}

export function changedPlan(now: TransferPlan, wanted: TransferChanges, legs: Legs): TransferPlan {
  const { amount, date = now.date } = wanted
  const { currency } = legs.from
  if (currency !== now.from.currency) {
    requireResent(now, wanted)
  }
  const amountMinor = amount === undefined ? now.amountMinor : amountIn(currency, amount)
  return planOf(wanted, legs, { date, amountMinor }, now)
}

/** Amounts in the old currency mean something else in the new one. */
function requireResent(now: TransferPlan, wanted: TransferChanges): void {
  if (wanted.amount === undefined) {
    throw errors.otherCurrency({ field: 'amount' })
  }
  if (!feesSent(wanted) && now.fees.length > 0) {
    throw errors.otherCurrency({ field: 'fees' })
  }
}

function planOf(
  wanted: TransferChanges,
  { from, to }: Legs,
  { date, amountMinor }: { date: string; amountMinor: number },
  now?: TransferPlan,
): TransferPlan {
  if (from.accountId === to.accountId) {
    throw errors.sameAccount({ field: 'toAccountId' })
  }
  const fees = feesIn(from.currency, wanted, now?.fees ?? [])
  const arrival = arrivalOf(movedMinorOf({ amountMinor, fees }), wanted, { from, to }, now)
  const categoryId = wanted.categoryId === undefined ? (now?.categoryId ?? null) : wanted.categoryId
  return { from, to, date, amountMinor, categoryId, fees, ...arrival }
}

type Arrival = Pick<TransferPlan, 'toAmountMinor' | 'rate'>

/** Returns the amount that arrives: as sent, else by the rate, else as before. Within one currency it is all that moved. */
function arrivalOf(
  movedMinor: number,
  { toAmount, rate }: TransferChanges,
  { from, to }: Legs,
  now: TransferPlan | undefined,
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

/** The fees that a request sends, each with its place there; undefined where it sends none. */
function feesSent({
  fee,
  fees,
}: Pick<TransferChanges, 'fee' | 'fees'>): (FeeInput & { place: string })[] | undefined {
  if (fees) {
    return fees.map((one, at) => ({ ...one, place: `fees.${at}` }))
  }
  return fee === undefined
    ? undefined
    : [fee].filter((one) => one !== null).map((one) => ({ ...one, place: 'fee' }))
}

/** The fees of a transfer after a change. */
function feesIn(currency: string, wanted: TransferChanges, now: Fee[]): Fee[] {
  // The shorthand cannot say a note, so that of the only fee stays.
  const [only, ...more] = now
  const kept = wanted.fee && only && more.length === 0 ? only.note : null
  const sent = feesSent(wanted)
  return sent
    ? checkAll(
        ...sent.map(({ amount, categoryId = null, note = kept, place }) => () => ({
          amountMinor: amountIn(currency, amount, `${place}.amount`),
          categoryId,
          note,
        })),
      )
    : now
}

/** The field of a request that is to blame when the fees take all that leaves. */
export const feeFieldOf = ({ fee, fees }: Pick<TransferChanges, 'fee' | 'fees'>): string =>
  fee ? 'fee.amount' : fees ? 'fees' : 'amount'

/** The categories that a request names, each with the field that names it. */
export const transferCategoriesNamed = (wanted: TransferChanges): Named[] =>
  [
    { id: wanted.categoryId, field: 'categoryId' },
    ...(feesSent(wanted) ?? []).map(({ categoryId: id, place }) => ({
      id,
      field: `${place}.categoryId`,
    })),
  ].flatMap(({ id, field }) => (id ? [{ id, field }] : []))

/**
 * @param known those of the owner among the categories that are named
 * @param now the transfer that is changed: the categories that it has may stay, archived or not
 */
export function requireTransferCategories(
  named: Named[],
  known: { id: string; kind: string; archived: boolean }[],
  now?: Transfer,
): void {
  const kept = [now?.categoryId, ...(now?.fees ?? []).map(({ categoryId }) => categoryId)]
  const byId = new Map(known.map((category) => [category.id, category]))
  checkAll(
    ...named.map(({ id, field }) => () => {
      const category = byId.get(id)
      if (!category) {
        throw errors.unknownCategory({ field })
      }
      if (category.kind !== 'expense') {
        throw errors.categoryKind({ field })
      }
      if (category.archived && !kept.includes(id)) {
        throw errors.archivedCategory({ field })
      }
    }),
  )
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

/** True if a draft on one account can be booked as a transfer with another one, so that nothing refuses it. */
export const canBeTransfer = (
  { kind, status, date, splits = [] }: Pick<Draft, 'kind' | 'status' | 'date' | 'splits'>,
  { id, ownerId, currency }: Account,
  other: TransferAccount,
): boolean =>
  (kind === 'expense' || kind === 'income') &&
  status !== 'void' &&
  splits.length === 0 &&
  other.id !== id &&
  other.ownerId === ownerId &&
  other.currency === currency &&
  other.status === 'open' &&
  other.rank >= rankOf('write') &&
  lockRefusal([{ accountId: other.id, date }], [other], {}) === undefined

/** The transfer of what moved on one account, with a new leg on the other one. */
export function transferWithNew(
  own: Leg,
  account: Account,
  { date, signedMinor, otherMinor }: { date: string; signedMinor: number; otherMinor: number },
): Transfer {
  const other = newLeg(account, 'uncleared')
  const ownMinor = Math.abs(signedMinor)
  return {
    ...(signedMinor < 0
      ? { from: own, to: other, amountMinor: ownMinor, toAmountMinor: otherMinor }
      : { from: other, to: own, amountMinor: otherMinor, toAmountMinor: ownMinor }),
    ...{ date, categoryId: null, fees: [] },
  }
}

/** The leg after a change: on the other account, if there is one, with the other status, if there is one. */
export const changedLeg = (
  now: Leg,
  account: Account | undefined,
  status: Status = now.status,
): Leg =>
  account ? { ...newLeg(account, status), externalId: now.externalId } : { ...now, status }

/** A transfer has tags as a whole only; a payee that a leg was given stays. */
export const transferLabels = (before: Labels, { tagIds }: TransferChanges): Labels => {
  const whole = labelsAt(before, WHOLE)
  return labelsFrom([{ ...whole, tagIds: tagIds ?? whole.tagIds }])
}

export const transferColumns = (
  { description, note, excludeFromReports }: TransferChanges,
  { rate }: TransferPlan,
): Partial<Header> => ({
  rate,
  ...(description === undefined ? {} : { description }),
  ...(note === undefined ? {} : { note }),
  ...(excludeFromReports === undefined ? {} : { excludeFromReports }),
})
