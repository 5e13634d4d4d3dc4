import type { AppError } from '../../../domain/errors.ts'
import { legIdOf } from '../../../domain/ledger.ts'
import type { SignedIn } from '../../../platform/context.ts'
import type { AccountView } from '../../accounts/accounts.public.ts'
import {
  type LedgerFilter,
  type LedgerRow,
  ledgerRows,
  ledgerRowsByIds,
} from '../../ledger/ledger.public.ts'
import { transactionErrors } from '../transactions.errors.ts'
import { attempt, MOST_TRANSACTIONS, refusalAt } from './bulk.rules.ts'

/** Which transactions a request works on: those with these ids, else those that match. */
export interface Selection {
  ids?: string[] | undefined
  filter?: LedgerFilter | undefined
}

/** What became of one transaction, or, of a dry run, would. */
export interface Outcome<Done extends string> {
  id: string
  result: Done | AppError
}

export interface Outcomes<Done extends string> {
  outcomes: Outcome<Done>[]
  dryRun: boolean
}

export const selectedRows = (ctx: SignedIn, { ids, filter = {} }: Selection) =>
  ids
    ? ledgerRowsByIds(ctx, ids)
    : ledgerRows(ctx, filter, { limit: MOST_TRANSACTIONS, after: undefined })

const idOf = ({ transactionId, kind, line }: LedgerRow) => legIdOf(transactionId, kind, line)

/** Decides on each of them, in the order of the ids or newest first. */
export function decideOnEach<Done extends string>(
  rows: LedgerRow[],
  { ids }: Selection,
  decide: (row: LedgerRow) => Done,
): Outcome<Done>[] {
  if (!ids && rows.length > MOST_TRANSACTIONS) {
    throw transactionErrors.tooManyMatches({ field: 'filter' })
  }
  const byId = new Map(rows.map((row) => [idOf(row), row]))
  return (ids ?? [...byId.keys()]).map((id) => ({
    id,
    result: attempt(() => {
      const row = byId.get(id)
      if (!row) {
        throw transactionErrors.notFound()
      }
      return decide(row)
    }),
  }))
}

/** Refuses all when one is refused. */
export function requireAll(outcomes: Outcome<string>[], { ids }: Selection): void {
  for (const [at, { id, result }] of outcomes.entries()) {
    if (typeof result !== 'string') {
      const place = ids ? `ids.${at}` : 'filter'
      const field = result.field === undefined ? place : `changes.${result.field}`
      throw refusalAt(result, field, ids ? undefined : id)
    }
  }
}

/** Refuses a closed account; the commit asserts it again. */
export const openIn = (views: AccountView[]) => {
  const open = new Set(
    views.flatMap(({ account }) => (account.status === 'open' ? [account.id] : [])),
  )
  return (accountId: string): void => {
    if (!open.has(accountId)) {
      throw transactionErrors.accountClosed()
    }
  }
}
