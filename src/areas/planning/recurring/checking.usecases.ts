import type { CalendarDate } from '../../../domain/calendar.ts'
import { AppError, checkAll } from '../../../domain/errors.ts'
import { parseMoney } from '../../../domain/money.ts'
import { checkSchedule } from '../../../domain/schedules/schedules.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { checkDrafts, refusalIn } from '../../money/transactions/transactions.public.ts'
import { recurringErrors } from './recurring.errors.ts'
import {
  draftOf,
  type ItemInput,
  type RecurringTransaction,
  type StoredRecurring,
} from './recurring.rules.ts'

/** The columns of an item that follow from its transaction. */
type Derived = Pick<
  StoredRecurring,
  'ownerId' | 'accountId' | 'accountIds' | 'currency' | 'private'
>

/**
 * Checks an item as a request sends it: its schedule, and its transaction as if it were booked on a day.
 * @throws AppError with the codes of `POST /transaction` and `POST /transfer`, and fields below `transaction`
 */
export async function checkedColumns(
  ctx: SignedIn,
  input: ItemInput,
  date: CalendarDate,
): Promise<Derived> {
  const { schedule, transaction, amountMax, mode } = input
  checkAll(
    () => schedule && checkSchedule(schedule),
    () => requireAmountsToFit(input),
    () => requireAccountUnless(mode === 'expect', transaction),
  )
  const isAnyAccount = transaction.kind !== 'transfer' && transaction.accountId === null
  const [made] = await checkDrafts(
    ctx,
    [{ ...draftOf(transaction, date), applyRules: false }],
    isAnyAccount ? transaction.currency : undefined,
  )
  if (made instanceof AppError) {
    throw refusalIn(made, 'transaction')
  }
  if (isAnyAccount && ctx.caller.token?.accountIds) {
    throw recurringErrors.tokenIsRestricted()
  }
  const [own] = made?.entries ?? []
  if (!made || !own) {
    throw new Error('checkedColumns: a draft is made or refused')
  }
  const { currency } = own
  if (amountMax !== null && parseMoney(amountMax, currency) < Math.abs(own.amountMinor)) {
    throw recurringErrors.amountRange({ field: 'amountMax' })
  }
  const accountIds = isAnyAccount ? [] : made.entries.map(({ accountId }) => accountId)
  return {
    ownerId: made.header.ownerId,
    accountId: isAnyAccount ? null : own.accountId,
    accountIds: JSON.stringify([...new Set(accountIds)]),
    currency,
    private: made.header.private,
  }
}

function requireAmountsToFit({ amountIs, amountMax, tolerancePercent }: ItemInput): void {
  if ((amountMax === null) === (amountIs === 'between')) {
    throw recurringErrors.amountRange({ field: 'amountMax' })
  }
  if (tolerancePercent !== null && amountIs !== 'about') {
    throw recurringErrors.amountRange({ field: 'tolerancePercent' })
  }
}

function requireAccountUnless(mayLack: boolean, transaction: RecurringTransaction): void {
  if (transaction.kind === 'transfer') {
    return
  }
  const { accountId, currency } = transaction
  if (accountId === null && !mayLack) {
    throw recurringErrors.accountNeeded({ field: 'transaction.accountId' })
  }
  if (accountId === null && currency === undefined) {
    throw recurringErrors.currencyNeeded({ field: 'transaction.currency' })
  }
  if (accountId !== null && currency !== undefined) {
    throw recurringErrors.currencyOfAccount({ field: 'transaction.currency' })
  }
}
