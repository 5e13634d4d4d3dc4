import { addressOf } from '../../../domain/ledger-ids.ts'
import { parseMoney } from '../../../domain/money.ts'
import { rankOf } from '../../../domain/sharing.ts'
import { profileOf, type SignedIn } from '../../../platform/context.ts'
import { commit, commitAndRead, read, requireVersion } from '../../../platform/database/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/database/paging.ts'
import { rightNeeded } from '../../../platform/database/refusals.ts'
import { fromWideSum } from '../../../platform/database/wide-sums.ts'
import type { LedgerRow } from '../../../ledger/ledger.public.ts'
import { requireAccess } from '../../identity/access/access.public.ts'
import { filterFrom, type SentFilter } from '../../../ledger/search/search.public.ts'
import { reconciliationErrors } from './reconciliations.errors.ts'
import {
  reconciliationEvents,
  reconciliationThing,
  statedBySession,
} from './reconciliations.events.ts'
import {
  accountOfReconciliation,
  countOfReconciliations,
  deleteReconciliation,
  type FoundReconciliation,
  pageOfReconciliations,
  reconciliationById,
  type ReconciliationFilter,
  updateAsRead,
  updateOpen,
  driftOf,
} from './reconciliations.queries.ts'
import {
  type ReconciliationRow,
  type ReconciliationView,
  requireOpenSession,
  requireStatementDate,
  type Drift,
  driftFrom,
} from './reconciliations.rules.ts'
import { namedFile } from './candidates.queries.ts'
import {
  pageOfSessionRows,
  rowsBefore,
  type RowsFilter,
  changeTicks,
  deleteTicks,
  linesNamed,
  type NamedLine,
} from './rows.queries.ts'

/** A session with what became of reconciled rows. */
export interface Reconciliation {
  view: ReconciliationView
  drift: Drift[]
}

export async function listReconciliations(
  ctx: SignedIn,
  filter: ReconciliationFilter,
  page: PageRequest,
): Promise<Page<ReconciliationView>> {
  const [found, [total]] = await read(
    ctx,
    pageOfReconciliations(ctx, filter, page),
    countOfReconciliations(ctx, filter),
  )
  const { rows, next } = cutPage(found, page, ({ statementDate, id }) => [statementDate, id])
  return { rows: rows.map(viewFrom), next, count: total?.count ?? 0 }
}

export async function getReconciliation(ctx: SignedIn, id: string): Promise<Reconciliation> {
  const [[view], drift] = await read(ctx, reconciliationById(ctx, id), driftOf(ctx, id))
  return { view: existingReconciliation(view), drift: drift.map(driftFrom) }
}

export function existingReconciliation(found: FoundReconciliation | undefined): ReconciliationView {
  if (!found) {
    throw reconciliationErrors.notFound()
  }
  return viewFrom(found)
}

const viewFrom = ({ tickedTotal, ...found }: FoundReconciliation): ReconciliationView => ({
  ...found,
  tickedTotal: fromWideSum(tickedTotal),
})

/** @throws AppError `auth.rightNeeded` */
export function requireMayReconcile({ rank }: { rank: number }): void {
  if (rank < rankOf('write')) {
    throw rightNeeded('write')()
  }
}

export interface ReconciliationChanges {
  statementDate?: string | undefined
  /** Decimal text. */
  closingBalance?: string | undefined
  note?: string | null | undefined
  attachmentId?: string | null | undefined
  /** Ids of transactions, as are those of `untick`. */
  tick?: string[] | undefined
  untick?: string[] | undefined
  tickWhere?: SentFilter | undefined
}

/** Changes what an open session says of the statement, and what is ticked. */
export async function updateReconciliation(
  ctx: SignedIn,
  id: string,
  changes: ReconciliationChanges,
): Promise<Reconciliation> {
  const { statementDate, attachmentId } = changes
  const tickWhere = changes.tickWhere && (await filterFrom(ctx, changes.tickWhere, 'tickWhere'))
  const tick = (changes.tick ?? []).map(addressOf)
  const untick = (changes.untick ?? []).map(addressOf)
  const [[found], [account], lines, files, drift] = await read(
    ctx,
    reconciliationById(ctx, id),
    accountOfReconciliation(ctx, id),
    linesNamed(ctx, id, [...tick, ...untick], statementDate),
    namedFile(ctx, attachmentId),
    driftOf(ctx, id),
  )
  const view = existingReconciliation(found)
  requireMayReconcile(view)
  requireVersion(ctx, view.version)
  requireOpenSession(view)
  if (statementDate !== undefined) {
    requireStatementDate(statementDate, account?.lastDate ?? null, {
      ...{ now: ctx.now, timeZone: profileOf(ctx).timeZone },
    })
  }
  if (attachmentId && files.length === 0) {
    throw reconciliationErrors.unknownFile({ field: 'attachmentId' })
  }
  requireTickable(tick, lines)
  untick.forEach((address, at) => requireNamed(address, lines, `untick.${at}`))
  const said = columnsFrom(changes, view)
  const changed = { ...view, ...said }
  const [after] = await commitAndRead(
    ctx,
    {
      changes: [
        {
          statements: [
            requireAccess(ctx, 'write', [view.accountId], reconciliationErrors.notFound),
            ...updateOpen(ctx, view, said),
            ...changeTicks(ctx, changed, { tick, untick, tickWhere }),
          ],
          events: Object.keys(said).length === 0 ? [] : [reconciliationChanged(view, changed)],
        },
      ],
    },
    reconciliationById(ctx, id),
  )
  return { view: existingReconciliation(after), drift: drift.map(driftFrom) }
}

/** The columns of the session that a request changes. */
const columnsFrom = (
  { statementDate, closingBalance, note, attachmentId }: ReconciliationChanges,
  { currency }: ReconciliationView,
): Partial<ReconciliationRow> => ({
  ...(statementDate === undefined ? {} : { statementDate }),
  ...(closingBalance === undefined
    ? {}
    : {
        closingMinor: parseMoney(closingBalance, currency, {
          ...{ signed: true, field: 'closingBalance' },
        }),
      }),
  ...(note === undefined ? {} : { note }),
  ...(attachmentId === undefined ? {} : { attachmentId }),
})

const reconciliationChanged = (before: ReconciliationView, after: ReconciliationView) =>
  reconciliationEvents.changed(
    { ...reconciliationThing(before), version: before.version + 1 },
    { before: statedBySession(before), after: statedBySession(after) },
  )

interface LineAddress {
  transactionId: string
  line: number
}

/** Refuses a line that the caller does not see, as one that does not exist. */
function requireNamed(
  { transactionId, line }: LineAddress,
  lines: NamedLine[],
  field: string,
): NamedLine {
  const found = lines.find((one) => one.transactionId === transactionId && one.line === line)
  if (!found) {
    throw reconciliationErrors.unknownTransaction({ field })
  }
  return found
}

/** Refuses what cannot be ticked, with its place in the request. */
function requireTickable(wanted: LineAddress[], lines: NamedLine[]) {
  for (const [at, address] of wanted.entries()) {
    const field = `tick.${at}`
    const found = requireNamed(address, lines, field)
    if (found.isOnOffer === 0) {
      throw reconciliationErrors.rowNotOnOffer({ field })
    }
    if (found.status === 'pending') {
      throw reconciliationErrors.pending({ field })
    }
  }
}

/** Ends an open session; nothing else happens. One that was finished before is kept as undone. */
export async function abandonReconciliation(ctx: SignedIn, id: string): Promise<void> {
  const [[found]] = await read(ctx, reconciliationById(ctx, id))
  const view = existingReconciliation(found)
  requireMayReconcile(view)
  requireVersion(ctx, view.version)
  requireOpenSession(view)
  return commit(ctx, {
    changes: [
      {
        statements: [
          requireAccess(ctx, 'write', [view.accountId], reconciliationErrors.notFound),
          ...(view.reconciledMinor === null
            ? deleteReconciliation(view)
            : [...updateAsRead(ctx, view, { state: 'undone' }), deleteTicks(view)]),
        ],
        events: [
          reconciliationEvents.abandoned(reconciliationThing(view), {
            before: statedBySession(view),
          }),
        ],
      },
    ],
    result: undefined,
  })
}

/** A row of a session. */
export interface TickedRow {
  row: LedgerRow
  isTicked: boolean
  /** The sum of the ticked rows up to and with this one. */
  tickedTotal: bigint
}

export async function listReconciliationRows(
  ctx: SignedIn,
  id: string,
  filter: RowsFilter,
  page: PageRequest,
): Promise<Page<TickedRow>> {
  const [[session], found, [totals]] = await read(
    ctx,
    reconciliationById(ctx, id),
    pageOfSessionRows(ctx, id, filter, page),
    rowsBefore(ctx, id, filter, page),
  )
  const view = existingReconciliation(session)
  const unticked = view.state === 'open' ? view.unticked + (totals?.late ?? 0) : 0
  const counts = { ticked: view.ticked, unticked, all: view.ticked + unticked }
  const asked = filter.ticked === undefined ? 'all' : filter.ticked ? 'ticked' : 'unticked'
  const { rows, next } = cutPage(found, page, ({ date, transactionId, line }) => [
    ...[date, transactionId, String(line)],
  ])
  let total = fromWideSum(totals?.before ?? '')
  return {
    rows: rows.map((row) => {
      const isTicked = row.mark === 1
      total += isTicked ? BigInt(row.amountMinor) : 0n
      return { row, isTicked, tickedTotal: total }
    }),
    next,
    count: counts[asked],
  }
}
