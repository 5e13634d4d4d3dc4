import type { AppError } from '../../../../domain/errors.ts'
import { legIdOf } from '../../../../domain/ledger-ids.ts'
import { rankOf } from '../../../../domain/sharing.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { rightNeeded } from '../../../../platform/database/refusals.ts'
import type { BookingRight } from '../../../identity/access/access.public.ts'
import type { AccountView } from '../../accounts/accounts.public.ts'
import {
  filterFrom,
  type LedgerFilter,
  newestRows,
  type SentFilter,
} from '../../../../ledger/search/search.public.ts'
import {
  type AccountLocks,
  type LedgerRow,
  entriesOf,
  ledgerRowsByIds,
} from '../../../../ledger/ledger.public.ts'
import { transactionErrors } from '../transactions.errors.ts'
import {
  attempt,
  MOST_BULK_LINES,
  MOST_TRANSACTIONS,
  refusalAt,
  requireFewLines,
} from './bulk.rules.ts'

/** The transactions of a request, selected either by ids or by filter. */
export interface TransactionSelection {
  ids?: string[] | undefined
  filter?: SentFilter | undefined
}

/** The outcome for one transaction or, in a dry run, the outcome that it would have. */
export interface BulkOutcome<Done extends string> {
  id: string
  result: Done | AppError
}

export interface Outcomes<Done extends string> {
  outcomes: BulkOutcome<Done>[]
  dryRun: boolean
}

/** A selection whose filter is checked. */
export interface CheckedSelection {
  ids?: string[] | undefined
  filter?: LedgerFilter | undefined
}

/** @throws AppError `conditions.invalid` */
export const checkedSelection = async (
  ctx: SignedIn,
  { ids, filter }: TransactionSelection,
): Promise<CheckedSelection> => ({
  ids,
  filter: filter && (await filterFrom(ctx, filter, 'filter')),
})

export const selectedRows = (ctx: SignedIn, { ids, filter = {} }: CheckedSelection) =>
  ids
    ? ledgerRowsByIds(ctx, ids, MOST_BULK_LINES)
    : newestRows(ctx, filter, { limit: MOST_TRANSACTIONS, lines: MOST_BULK_LINES })

const idOf = ({ transactionId, kind, line }: LedgerRow) => legIdOf(transactionId, kind, line)

/** Decides on each of them, in the order of the ids or newest first. */
export function decideOnEach<Done extends string>(
  rows: LedgerRow[],
  { ids }: TransactionSelection,
  decide: (row: LedgerRow) => Done,
): BulkOutcome<Done>[] {
  // Pieces of the lines are read each up to these limits: what is reached first is what is refused.
  requireFewLines(rows.slice(0, MOST_TRANSACTIONS).map((row) => entriesOf(row).length))
  if (!ids && rows.length > MOST_TRANSACTIONS) {
    throw transactionErrors.tooManyMatches({ field: 'filter' })
  }
  const byId = new Map(rows.map((row) => [idOf(row), row]))
  return (ids ?? [...byId.keys()]).map((id) => ({
    id,
    result: attempt(() => {
      const row = byId.get(id)
      if (!row) {
        throw transactionErrors.unknownTransaction()
      }
      return decide(row)
    }),
  }))
}

/** Refuses all when one is refused. */
export function requireAll(outcomes: BulkOutcome<string>[], { ids }: TransactionSelection): void {
  for (const { id, result } of outcomes) {
    if (typeof result !== 'string') {
      const place = ids ? `ids.${ids.indexOf(id)}` : 'filter'
      const field = result.field === undefined ? place : `changes.${result.field}`
      throw refusalAt(result, field, ids ? undefined : id)
    }
  }
}

/** The locks of the accounts, and what the caller may do with them. */
export const locksIn = (views: AccountView[]): AccountLocks[] =>
  views.map(({ account: { id, lockedThrough, hardLockedThrough }, seen: { rank } }) => ({
    ...{ id, lockedThrough, hardLockedThrough, rank },
  }))

/** The field that selects the transactions. */
export const placeOf = ({ ids }: TransactionSelection): string => (ids ? 'ids' : 'filter')

/** Refuses what the caller may not do with an account, and to book on a closed one; the commit asserts it again. */
export const allowedIn = (views: AccountView[]) => {
  const byId = new Map(views.map((view) => [view.account.id, view]))
  return (accountId: string, right: BookingRight, isRebooked = true): void => {
    const view = byId.get(accountId)
    if ((view?.seen.rank ?? 0) < rankOf(right)) {
      throw rightNeeded(right)()
    }
    if (isRebooked && view?.account.status !== 'open') {
      throw transactionErrors.accountClosed()
    }
  }
}
