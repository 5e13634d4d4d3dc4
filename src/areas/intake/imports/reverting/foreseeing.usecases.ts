import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database/database.ts'
import {
  type AccountLocks,
  lockRefusal,
  type MatchedPart,
  matchedRows,
} from '../../../../ledger/ledger.public.ts'
import { AppError } from '../../../../domain/errors.ts'
import { splitIdOf } from '../../../../domain/ledger-ids.ts'
import {
  type AccountView,
  visibleAccounts,
  deleteUnusedAccount,
} from '../../../money/accounts/accounts.public.ts'
import { deleteCategory } from '../../../money/categories/categories.public.ts'
import { unmatchSplit } from '../../../money/transactions/transactions.public.ts'
import { unmatchTransfer } from '../../../money/transfers/transfers.public.ts'
import { slices, locksOfViews } from '../booking/booking.rules.ts'
import type { CreatedByImport } from '../booking/making.usecases.ts'
import type { StoredImport } from '../imports.queries.ts'
import {
  type AddedRow,
  rowsBookedBy,
  type BookedRow,
  editedFields,
  matchingsOf,
} from './reverting.queries.ts'
import { restorationOf } from './restoring.usecases.ts'
import { type RevertChoice, MOST_KEPT_ITEMS, type Reverted } from './reverting.rules.ts'

/** Transactions of one commit. */
export const AT_ONCE = 500

/** Rows that were matched of which a dry run counts what is taken off. */
export const MOST_FORESEEN = 100_000

const accountsOf = ({ accountId, otherAccountId }: BookedRow): string[] => [
  accountId,
  ...(otherAccountId === null ? [] : [otherAccountId]),
]

/** Returns why a transaction stays; undefined if it is removed. */
function keptFor(
  row: BookedRow,
  {
    fields,
    isTouched,
    isAsMatched,
  }: { fields: string[]; isTouched: boolean; isAsMatched: boolean },
  { edited, force }: RevertChoice,
  locks: AccountLocks[],
): string | undefined {
  if (row.isInTrash === 1) {
    return 'inTrash'
  }
  const days = accountsOf(row).map((accountId) => ({ accountId, date: row.date }))
  if (lockRefusal(days, locks, { force }) !== undefined) {
    return 'locked'
  }
  if (force !== true) {
    if (row.isReconciled === 1) {
      return 'reconciled'
    }
    if (row.isLinked === 1) {
      return 'linked'
    }
  }
  // A transfer whose two sides the import booked is removed as it was booked.
  const isParted = force === true || row.isWithin === 1
  if (row.matchedInto !== null) {
    return isParted && (isAsMatched || edited === 'remove') ? undefined : 'transfer'
  }
  if (row.hasMatched === 1 && !isParted) {
    return 'transfer'
  }
  return isTouched && edited !== 'remove'
    ? `edited: ${fields.length === 0 ? 'other fields' : fields.join(', ')}`
    : undefined
}

export interface RevertSplit {
  going: BookedRow[]
  /** The ids of removed ones that somebody changed. */
  touched: ReadonlySet<string>
  kept: Reverted['kept']
}

export async function split(
  ctx: SignedIn,
  rows: BookedRow[],
  choice: RevertChoice,
  seen?: AccountView[],
): Promise<RevertSplit> {
  const edited = rows.flatMap(({ id, version, isOfPart, matchedInto }) => [
    ...(version > 1 ? [id] : []),
    ...(isOfPart === 1 && matchedInto !== null ? [matchedInto] : []),
  ])
  const [views, found, matchings] =
    seen && edited.length === 0
      ? [seen, [], []]
      : await read(ctx, visibleAccounts(ctx), editedFields(edited), matchingsOf(edited))
  const matchedBefore = new Map(matchings.map(({ id, count }) => [id, count]))
  const touched = new Set(
    rows.flatMap(({ id, version }) => (version > 1 + (matchedBefore.get(id) ?? 0) ? [id] : [])),
  )
  const locks = locksOfViews(views)
  const fields = Map.groupBy(found, ({ id }) => id)
  const going: BookedRow[] = []
  const kept: Reverted['kept'] = []
  for (const row of rows) {
    const names = (fields.get(row.id) ?? []).map(({ field }) => field.replace(/Minor$/, ''))
    const isTouched = touched.has(row.id)
    const { intoVersion, matchedInto } = row
    const isAsMatched =
      intoVersion === 1 + (row.isOfPart === 1 ? (matchedBefore.get(matchedInto ?? '') ?? 0) : 0)
    const isHidden = accountsOf(row).some(
      (id) => id !== '' && !views.some(({ account }) => account.id === id),
    )
    const reason =
      keptFor(row, { fields: names, isTouched, isAsMatched }, choice, locks) ??
      (isHidden ? 'otherAccount' : undefined)
    if (reason === undefined) {
      going.push(row)
    } else {
      kept.push({ id: row.id, reason })
    }
  }
  return { going, touched, kept }
}

/** Calculates the result that a revert would have now. */
export async function foresee(
  ctx: SignedIn,
  id: string,
  choice: RevertChoice,
  { views, booked, added }: { views: AccountView[]; booked: BookedRow[]; added: AddedRow[] },
): Promise<Reverted> {
  const report: Reverted = { removed: 0, restored: 0, kept: [] }
  let rows = booked
  for (;;) {
    const { going, kept } = await split(ctx, rows, choice, views)
    report.removed += going.length
    report.kept = [...report.kept, ...kept].slice(0, MOST_KEPT_ITEMS)
    if (rows.length < AT_ONCE) {
      break
    }
    rows = (await read(ctx, rowsBookedBy(ctx, id, rows.at(-1)?.id ?? null, AT_ONCE)))[0]
  }
  for (const some of slices(added, AT_ONCE)) {
    const { restored, kept } = await restorationOf(ctx, id, some, choice)
    report.restored += restored
    report.kept = [...report.kept, ...kept].slice(0, MOST_KEPT_ITEMS)
  }
  return report
}

/**
 * Moves accounts and categories to the trash that the import made and that nothing is left on, and tells which stay.
 * Killed within it, it begins anew: what is gone by then is not found any more.
 */
export async function withMade(
  owner: SignedIn,
  { made }: StoredImport,
  report: Reverted,
): Promise<Reverted> {
  const { accounts = [], categories = [] } = JSON.parse(made) as CreatedByImport
  const staying: string[] = []
  for (const id of accounts) {
    if (!(await deleteUnusedAccount(owner, id))) {
      staying.push(id)
    }
  }
  // Subcategories were made after their parents, so they are deleted first.
  for (const id of categories.toReversed()) {
    if (!(await deleteUnusedCategory(owner, id))) {
      staying.push(id)
    }
  }
  const kept = staying.map((id) => ({ id, reason: 'inUse' }))
  return { ...report, kept: [...report.kept, ...kept].slice(0, MOST_KEPT_ITEMS) }
}

async function deleteUnusedCategory(owner: SignedIn, id: string): Promise<boolean> {
  try {
    await deleteCategory(owner, id, undefined)
    return true
  } catch (error) {
    if (error instanceof AppError && error.kind === 'notFound') {
      return true
    }
    if (error instanceof AppError && error.code === 'categories.inUse') {
      return false
    }
    throw error
  }
}

const REFUSED = ['invalid', 'forbidden', 'notFound', 'conflict']

/** Parts the halves of a transfer, or takes the rows away from the parts of a transaction that they are the other side of. */
export async function partTransfer(owner: SignedIn, id: string, force: boolean): Promise<void> {
  if (id.startsWith('trf_')) {
    await unlessRefused(() => unmatchTransfer(owner, id, force))
    return
  }
  const [matched] = await read(owner, matchedRows(owner, id))
  for (const { matchedPart } of matched) {
    if (matchedPart !== null) {
      const { line } = JSON.parse(matchedPart) as MatchedPart
      await unlessRefused(() => unmatchSplit(owner, id, splitIdOf(id, line), force))
    }
  }
}

/** Runs a separation, and ignores a refusal. */
async function unlessRefused(part: () => Promise<unknown>): Promise<void> {
  try {
    await part()
  } catch (error) {
    const isRefused = error instanceof AppError && REFUSED.includes(error.kind)
    if (!isRefused || error.code === 'tasks.taken') {
      throw error
    }
  }
}
