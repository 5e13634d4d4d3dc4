import { SELF, type IdMapping } from '../../../../platform/owned-data/archived-ids.ts'
import { existingRows } from '../../../../platform/owned-data/archived-merging.ts'
import { type ArchivedRow, tableNameOf } from '../../../../platform/owned-data/archived-tables.ts'
import { archivedTables } from '../../../../platform/owned-data/owned-data.ts'
import { readOrStop } from '../../../../platform/work/tasks.ts'
import { remainderId, transferIdFrom } from '../../../../domain/ids.ts'
import { backupErrors } from '../backups.errors.ts'
import {
  type AccountHere,
  type KnownLine,
  knownByBank,
  knownByImport,
  lockOfAll,
} from './merging.queries.ts'
import { mappedLines, pagesOf, type Run } from './runs.usecases.ts'
import type { ZipMember } from '../../../../platform/files/unzip.ts'
import type { Merge } from './restoring.usecases.ts'

/** A merge that is being decided. */
export interface MergePlan {
  run: Run
  merge: Merge
  mapping: IdMapping & { changed: Record<string, ArchivedRow> }
  members: ReadonlyMap<string, ZipMember>
  accounts: ReadonlyMap<string, AccountHere>
}

/** The facts about the transactions of an archive that is merged. */
interface Bookings {
  /** Transactions that are not here. */
  absent: Set<string>
  /** Rows that were matched, with the transaction that replaced each. */
  matched: { id: string; into: string }[]
  /** Opening balances of accounts that were there: these have their own. */
  openings: Set<string>
  /** Adjustments of valuations of accounts that were there: they are of no use without what they adjusted. */
  valuations: Set<string>
  /** Transactions that are booked here under another id, with that id. */
  known: Map<string, string>
  /** Transactions with a line on an account that is added. */
  onAdded: Set<string>
  /** Transactions that cannot be booked, with the reason. */
  blocked: Map<string, () => Error>
}

/** Decides which transactions are left out, although they are not here. */
export async function planBookings(plan: MergePlan): Promise<void> {
  const bookings: Bookings = {
    ...{ absent: new Set(), matched: [], openings: new Set(), valuations: new Set() },
    ...{ known: new Map(), onAdded: new Set(), blocked: new Map() },
  }
  await readTransactions(plan, bookings)
  await readValuations(plan, bookings)
  await readIdentities(plan, bookings)
  await readLines(plan, bookings)
  const { left } = plan.merge
  for (const id of [...bookings.openings, ...bookings.valuations, ...bookings.known.keys()]) {
    left.add(id)
  }
  leaveMatched(bookings, left)
  for (const id of bookings.onAdded) {
    if (left.has(id) || !bookings.absent.has(id)) {
      throw backupErrors.transactionHere({ id: bookings.known.get(id) ?? id })
    }
  }
  for (const [id, refusal] of bookings.blocked) {
    if (!left.has(id)) {
      throw refusal()
    }
  }
}

async function* rowsOf(
  { run, members, mapping }: MergePlan,
  name: string,
): AsyncGenerator<ArchivedRow[]> {
  const table = archivedTables().find((one) => tableNameOf(one) === name)
  if (!table) {
    throw new Error(`no archive has ${name}`)
  }
  for await (const lines of pagesOf(mappedLines(run.read, members, table, mapping))) {
    yield lines.map(({ mapped }) => mapped)
  }
}

async function readTransactions(plan: MergePlan, bookings: Bookings): Promise<void> {
  const { absent, matched, openings } = bookings
  const { ctx, owner } = plan.run
  const table = archivedTables().find((one) => tableNameOf(one) === 'transactions')
  for await (const rows of rowsOf(plan, 'transactions')) {
    const [present] = table
      ? await readOrStop(ctx, existingRows(table, rows, owner.caller.userId))
      : [[]]
    const there = new Set(present.map(({ place }) => place))
    for (const [at, row] of rows.entries()) {
      const id = String(row['id'])
      if (!there.has(at)) {
        absent.add(id)
        if (row['kind'] === 'opening') {
          openings.add(id)
        }
      }
      if (typeof row['matched_into'] === 'string') {
        matched.push({ id, into: row['matched_into'] })
      }
    }
    const ids = rows.map(({ id }) => String(id))
    await findRemainders(
      plan,
      bookings,
      ids.map((id) => ({
        id,
        by: id.startsWith('trf_') ? remainderId(id, null) : transferIdFrom(id),
      })),
    )
  }
}

/** Returns the id of the remainder that a part would leave on its other account. */
const remainderOf = (row: ArchivedRow) =>
  row['side'] === 'account' && typeof row['pair'] === 'number'
    ? [{ id: idOf(row), by: remainderId(idOf(row), row['pair']) }]
    : []

/**
 * Finds transactions of which something is left here: an account was erased, and what they moved on others stayed there. Or the
 * other way round, where that is so in the archive.
 */
async function findRemainders(
  { run }: MergePlan,
  { absent, known }: Bookings,
  all: { id: string; by: string }[],
): Promise<void> {
  const table = archivedTables().find((one) => tableNameOf(one) === 'transactions')
  const some = all.filter(({ id }) => absent.has(id))
  const ids = some.map(({ by: id }) => ({ id }))
  const [present] = table
    ? await readOrStop(run.ctx, existingRows(table, ids, run.owner.caller.userId))
    : [[]]
  for (const { place } of present.filter(({ isOwn }) => isOwn === 1)) {
    const found = some[place]
    if (found) {
      known.set(found.id, found.by)
    }
  }
}

async function readValuations(plan: MergePlan, { absent, valuations }: Bookings): Promise<void> {
  for await (const rows of rowsOf(plan, 'valuations')) {
    for (const { account_id: account, transaction_id: id } of rows) {
      if (typeof id === 'string' && absent.has(id) && !plan.merge.added.has(String(account))) {
        valuations.add(id)
      }
    }
  }
}

async function readIdentities(plan: MergePlan, { absent, known }: Bookings): Promise<void> {
  for await (const rows of rowsOf(plan, 'import_identities')) {
    const lines = rows
      .filter((row) => absent.has(String(row['transaction_id'])))
      .map((row) => ({
        ...{ id: String(row['transaction_id']), account: String(row['account_id']) },
        external: String(row['identity']),
      }))
    const [found] = await readOrStop(plan.run.ctx, knownByImport(lines))
    found.forEach(({ id, by }) => known.set(id, by))
  }
}

/** Collects the facts of lines about their transactions. */
async function readLines(plan: MergePlan, bookings: Bookings): Promise<void> {
  const { ctx, owner } = plan.run
  const [[lock]] = await readOrStop(ctx, lockOfAll(owner.caller.userId))
  for (const name of ['entries', 'unbooked_entries']) {
    for await (const rows of rowsOf(plan, name)) {
      const known: KnownLine[] = []
      for (const row of rows) {
        const isCounted = row['side'] === 'account' && row['reason'] !== 'trash'
        if (isCounted) {
          takeLine(plan, bookings, row, { isBooked: name === 'entries', lock: lock?.through ?? '' })
        }
        if (isCounted && row['external_id'] !== null && bookings.absent.has(idOf(row))) {
          const scope = String(row['external_scope'] ?? '')
          known.push({
            ...{ id: idOf(row), account: String(row['account_id']) },
            external: String(row['external_id']),
            scope: scope === SELF ? owner.caller.userId : scope,
          })
        }
      }
      const [found] = await readOrStop(ctx, knownByBank(known))
      found.forEach(({ id, by }) => bookings.known.set(id, by))
      await findRemainders(plan, bookings, rows.flatMap(remainderOf))
    }
  }
}

const idOf = (row: ArchivedRow) => String(row['transaction_id'])

function takeLine(
  { merge, accounts }: MergePlan,
  { onAdded, blocked, absent, openings }: Bookings,
  row: ArchivedRow,
  { isBooked, lock }: { isBooked: boolean; lock: string },
): void {
  const id = idOf(row)
  const account = accounts.get(String(row['account_id']))
  const isNew = merge.added.has(String(row['account_id']))
  if (!isBooked) {
    return
  }
  if (isNew) {
    onAdded.add(id)
    openings.delete(id)
  }
  if (!absent.has(id)) {
    return
  }
  const name = account?.name ?? 'that the archive adds'
  const through = account ? (account.lockedThrough ?? '') : lock
  if (String(row['date']) <= through) {
    blocked.set(id, () => backupErrors.periodLocked({ name, through }))
  }
  if (account && (account.deletedAt ?? account.erasedAt) !== null) {
    blocked.set(id, () => backupErrors.accountInTrash({ name }))
  } else if (account?.status === 'closed') {
    blocked.set(id, () => backupErrors.accountClosed({ name }))
  }
}

/**
 * Leaves out a matched row unless its replacement is added, too, and the replacement unless all its matched rows are
 * added. Otherwise the money would be booked twice.
 */
function leaveMatched({ matched, absent }: Bookings, left: Set<string>): void {
  const isAdded = (id: string) => absent.has(id) && !left.has(id)
  for (let isChanged = true; isChanged;) {
    isChanged = false
    for (const { id, into } of matched) {
      if (isAdded(id) !== isAdded(into)) {
        for (const one of [id, into].filter(isAdded)) {
          left.add(one)
          isChanged = true
        }
      }
    }
  }
}
