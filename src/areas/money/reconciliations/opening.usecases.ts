import { parseMoney } from '../../../domain/money.ts'
import { freshId, profileOf, type SignedIn } from '../../../platform/context.ts'
import { commit, read } from '../../../platform/database/database.ts'
import type { Change } from '../../../platform/log/events.ts'
import { fromWideSum } from '../../../platform/database/wide-sums.ts'
import { requireAccess } from '../../identity/access/access.public.ts'
import { reconciliationErrors } from './reconciliations.errors.ts'
import {
  reconciliationEvents,
  reconciliationThing,
  statedBySession,
} from './reconciliations.events.ts'
import { type AccountToReconcile, accountsToReconcile } from './reconciliations.queries.ts'
import {
  MOST_TICKS,
  type Prefill,
  type ReconciliationRow,
  type ReconciliationView,
  requireStatementDate,
} from './reconciliations.rules.ts'
import { requireMayReconcile } from './reconciliations.usecases.ts'
import {
  type Filling,
  filledBy,
  insertReconciliation,
  namedFile,
  namedImport,
} from './candidates.queries.ts'

const unknownAccount = () => reconciliationErrors.unknownAccount({ field: 'accountId' })

/** The values with which a session is opened. */
export interface Opening {
  account: Pick<AccountToReconcile, 'id' | 'ownerId' | 'lastClosingMinor'>
  statementDate: string
  closingMinor: number
  prefill: Prefill
  note?: string | null | undefined
  attachmentId?: string | null | undefined
  /** Needed with `prefill: import`. */
  importId?: string | undefined
}

/** The change that opens a session, and the session. */
export interface Opened {
  change: Change
  session: ReconciliationRow
}

/** The errors of a commit that opens a session where another request was faster. */
export const openingConflicts = { 'reconciliations.account_id': reconciliationErrors.open }

/**
 * Opens a session on an account as `accountsToReconcile` found it: open, without an open session, and reconciled through an
 * earlier day or none. The commit needs `openingConflicts`.
 */
export function openReconciliation(
  ctx: SignedIn,
  { account, statementDate, closingMinor, prefill, importId, ...words }: Opening,
): Opened {
  const { id: accountId, ownerId, lastClosingMinor } = account
  const session: ReconciliationRow = {
    id: freshId(ctx, 'rcn'),
    ...{ ownerId, accountId, statementDate, closingMinor },
    openingMinor: lastClosingMinor ?? 0,
    state: 'open',
    reconciledMinor: null,
    note: words.note ?? null,
    attachmentId: words.attachmentId ?? null,
    importId: importId ?? null,
    finishedAt: null,
    adjustmentId: null,
    assertionId: null,
    createdBy: ctx.caller.userId,
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  return {
    session,
    change: {
      statements: [
        requireAccess(ctx, 'write', [accountId], unknownAccount),
        ...insertReconciliation(ctx, session, fillingOf(session, prefill)),
      ],
      events: [
        reconciliationEvents.started(
          { ...reconciliationThing(session), version: 1 },
          { after: statedBySession(session) },
        ),
      ],
    },
  }
}

const fillingOf = (
  { accountId, statementDate, importId }: Pick<Filling, 'accountId' | 'statementDate' | 'importId'>,
  prefill: Prefill,
): Filling => ({ accountId, statementDate, prefill, importId })

interface NewReconciliation {
  accountId: string
  statementDate: string
  /** Decimal text. */
  closingBalance: string
  prefill: Prefill
  note?: string | null | undefined
  attachmentId?: string | null | undefined
  importId?: string | undefined
}

/** Starts to compare an account with a statement. Nothing that is booked changes. */
export async function startReconciliation(
  ctx: SignedIn,
  { accountId, statementDate, closingBalance, prefill, ...rest }: NewReconciliation,
): Promise<ReconciliationView> {
  const { attachmentId, importId } = rest
  const filling = fillingOf({ accountId, statementDate, importId: importId ?? null }, prefill)
  const [[account], [filled], files, imports] = await read(
    ctx,
    accountsToReconcile(ctx, [accountId]),
    filledBy(ctx, filling),
    namedFile(ctx, attachmentId),
    namedImport(ctx, { accountId, importId }),
  )
  if (!account || !filled) {
    throw unknownAccount()
  }
  requireMayReconcile(account)
  const { currency, rank, lastDate, openId, status } = account
  const closingMinor = parseMoney(closingBalance, currency, {
    ...{ signed: true, field: 'closingBalance' },
  })
  requireStatementDate(statementDate, lastDate, {
    ...{ now: ctx.now, timeZone: profileOf(ctx).timeZone },
  })
  if (prefill === 'import' && importId === undefined) {
    throw reconciliationErrors.importNeeded({ field: 'importId' })
  }
  if (importId !== undefined && imports.length === 0) {
    throw reconciliationErrors.unknownImport({ field: 'importId' })
  }
  if (attachmentId && files.length === 0) {
    throw reconciliationErrors.unknownFile({ field: 'attachmentId' })
  }
  if (status === 'closed') {
    throw reconciliationErrors.accountClosed()
  }
  if (openId !== null) {
    throw reconciliationErrors.open({ field: 'accountId' })
  }
  if (filled.ticked > MOST_TICKS) {
    throw reconciliationErrors.tooManyRows({ field: 'prefill' })
  }
  const { session, change } = openReconciliation(ctx, {
    ...{ account, statementDate, closingMinor, prefill },
    ...rest,
  })
  const { onOffer, tickedTotal, ...sums } = filled
  return commit(ctx, {
    changes: [change],
    result: {
      ...session,
      ...sums,
      currency,
      rank,
      unticked: onOffer - filled.ticked,
      tickedTotal: fromWideSum(tickedTotal),
    },
    conflicts: openingConflicts,
  })
}
