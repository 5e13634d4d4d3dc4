import { dateInZone } from '../../../../domain/calendar.ts'
import { AppError } from '../../../../domain/errors.ts'
import { profileOf, type SignedIn } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database.ts'
import { withoutEvents } from '../../../../platform/events.ts'
import {
  assertClosings,
  type Closing,
  closingsToAssert,
} from '../../../money/balance-assertions/balance-assertions.public.ts'
import {
  accountsToReconcile,
  openingConflicts,
  openReconciliation,
} from '../../../money/reconciliations/reconciliations.public.ts'
import { statementsOf, type StoredImport } from '../imports.queries.ts'
import type { StatementContent } from '../preview/statements.rules.ts'
import { mustBeCommitting } from './booking.queries.ts'
import { slices } from './slices.rules.ts'

/** Statements of one commit. */
const CLOSINGS_AT_ONCE = 200

/** States what accounts held at the end of each statement, unless something is stated of that already. */
export async function stateClosings(owner: SignedIn, { id }: StoredImport): Promise<void> {
  for (const some of slices(await closingsOf(owner, id), CLOSINGS_AT_ONCE)) {
    const [found] = await read(owner, closingsToAssert(owner, some))
    await commit(owner, {
      changes: [withoutEvents(mustBeCommitting(id)), assertClosings(owner, found)],
      result: undefined,
    })
  }
}

/** The closing balances of an import, one of a day and account: the last one counts. */
async function closingsOf(owner: SignedIn, id: string): Promise<Closing[]> {
  const [statements] = await read(owner, statementsOf(id))
  const today = dateInZone(owner.now, profileOf(owner).timeZone)
  const from = new Map<string, string | null>()
  for (const { accountId, fromDate } of statements) {
    const known = from.get(accountId)
    const isEarlier =
      known === undefined || fromDate === null || (known !== null && fromDate < known)
    from.set(accountId, isEarlier ? fromDate : (known ?? null))
  }
  const closings = statements.flatMap(
    ({ accountId, throughDate, closingMinor: amountMinor, content }): Closing[] => {
      const { isInterim, closingDate: date = throughDate } = JSON.parse(content) as StatementContent
      return date === null || date > today || amountMinor === null || isInterim
        ? []
        : [{ accountId, date, amountMinor, from: from.get(accountId) ?? null }]
    },
  )
  return [...new Map(closings.map((one) => [`${one.accountId} ${one.date}`, one])).values()]
}

/**
 * Opens a reconciliation of the newest statement of each account, with the rows of the import ticked. An account that has an
 * open one, or is reconciled through a later day, is left as it is.
 */
export async function openSessions(owner: SignedIn, { id }: StoredImport): Promise<void> {
  const newest = new Map<string, Closing>()
  for (const closing of await closingsOf(owner, id)) {
    if (closing.date >= (newest.get(closing.accountId)?.date ?? '')) {
      newest.set(closing.accountId, closing)
    }
  }
  const [accounts] = await read(owner, accountsToReconcile(owner, [...newest.keys()]))
  for (const account of accounts) {
    const closing = newest.get(account.id)
    const canOpen = account.status === 'open' && account.openId === null
    if (closing && canOpen && closing.date >= (account.lastDate ?? '')) {
      await openSession(owner, id, account, closing)
    }
  }
}

/** Codes of errors that prevent a session. The import goes on without it. */
const LEFT_OUT = ['reconciliations.open', 'reconciliations.unknownAccount', 'request.conflict']

async function openSession(
  owner: SignedIn,
  importId: string,
  account: Parameters<typeof openReconciliation>[1]['account'],
  { date: statementDate, amountMinor: closingMinor }: Closing,
): Promise<void> {
  const open = (prefill: 'import' | 'none') =>
    commit(owner, {
      changes: [
        withoutEvents(mustBeCommitting(importId)),
        openReconciliation(owner, { account, statementDate, closingMinor, prefill, importId })
          .change,
      ],
      result: undefined,
      conflicts: openingConflicts,
    })
  try {
    await open('import')
  } catch (error) {
    if (!(error instanceof AppError)) {
      throw error
    }
    if (error.code === 'reconciliations.tooManyRows') {
      await open('none')
    } else if (!LEFT_OUT.includes(error.code)) {
      throw error
    }
  }
}
