import type { AppError } from '../../../../domain/errors.ts'
import { transactionIdFrom, transferIdFrom } from '../../../../domain/ids.ts'
import { LargeSet } from '../../../../domain/large-map.ts'
import { forEachInSteps } from '../../../../domain/steps.ts'
import { type IdMapping, mappedId } from '../../../../platform/owned-data/archived-ids.ts'
import { idsOfOthers, takenIds } from '../../../../platform/owned-data/archived-merging.ts'
import {
  type ArchivedTable,
  tableNameOf,
  shapeOf,
} from '../../../../platform/owned-data/archived-tables.ts'
import { pauseRegularly, runWithPauses } from '../../../../platform/work/pauses.ts'
import type { Context } from '../../../../platform/context.ts'
import { archivedTables } from '../../../../platform/owned-data/owned-data.ts'
import { readOrStop } from '../../../../platform/work/tasks.ts'
import { backupErrors } from '../backups.errors.ts'
import { isSealed } from '../making/making.usecases.ts'
import { type Inspection, inspect, membersOf } from '../verifying/inspection.usecases.ts'
import type { RowCheck } from '../verifying/rows.usecases.ts'
import { insertRestoredRows } from './merging.queries.ts'
import { planMerge } from './planning.usecases.ts'
import { filledTables, knownUsers } from './restoring.queries.ts'
import { notEmptyBecause, tablesToFill } from './restoring.usecases.ts'
import {
  errorOfFaults,
  IDS_PER_QUERY,
  MOST_REPORTED,
  type RestoreReport,
} from './restoring.rules.ts'
import { end, goOn, idsOf, type Run, type StoredMapping, untouched } from './runs.usecases.ts'

/** Reads all of an archive, and decides what becomes of its ids. Nothing is stored of it before. */
export async function check(run: Run): Promise<void> {
  const { ctx, read, row, owner } = run
  const inspection = await inspect(read, row.size, ctx.now)
  const report = reportOn(inspection)
  const error = errorOfFaults(inspection.faults)
  if (error) {
    return end(run, { state: 'failed', report: { ...report, error } })
  }
  const mapping = await decideMapping(run, inspection)
  const ids = idsOf(run, mapping)
  await requireFreeIds(run, inspection.rows, ids)
  if (row.mode === 'merge') {
    return checkMerge(run, inspection, mapping, report)
  }
  const full = { ...report, idMap: await idMapOf(inspection.rows, ids) }
  if (row.dryRun) {
    const [[found = {}]] = await readOrStop(ctx, filledTables(tablesToFill(), owner.caller.userId))
    const refusal = notEmptyBecause(found)
    return refusal
      ? end(run, { state: 'failed', report: { ...full, error: errorFrom(refusal) } })
      : end(run, { state: 'done', report: full })
  }
  return goOn(run, { state: 'writing', report: full, mapping })
}

const errorFrom = ({ code, message }: AppError) => ({ code, message, member: null, line: null })

function reportOn({ manifest, contentHash, known }: Inspection): RestoreReport {
  const counts = Object.entries(manifest.counts).flatMap(([name, count]) =>
    name.startsWith('data/') ? [[name.slice('data/'.length), count] as const] : [],
  )
  return {
    formatVersion: manifest.formatVersion,
    archiveCreatedAt: manifest.createdAt,
    archiveHash: contentHash,
    counts: Object.fromEntries(counts),
    balances: known.accounts
      .values()
      .take(MOST_REPORTED)
      .map(({ id: accountId, name, currency, balance }) => ({
        ...{ accountId, name, currency, balance },
      }))
      .toArray(),
  }
}

/** Decides a merge, and tells of it. */
async function checkMerge(
  run: Run,
  { rows }: Inspection,
  mapping: StoredMapping,
  report: RestoreReport,
): Promise<void> {
  const { ctx, read, row, owner } = run
  const { userId } = owner.caller
  const [[found = {}]] = await readOrStop(ctx, filledTables(tablesToFill(), userId))
  const planned = await planMerge(run, {
    members: await membersOf(read, row.size),
    ids: idsOf(run, mapping),
    archived: rows.ids.get('accounts') ?? new LargeSet<string>(),
    isFresh: notEmptyBecause(found) === undefined,
  })
  const same = new Map(
    planned.rows.flatMap(({ id, becomes }) => (becomes === null ? [] : [[id, becomes] as const])),
  )
  const full = {
    ...report,
    idMap: await idMapOf(rows, { ...idsOf(run, mapping), same }),
    merged: planned.counts,
  }
  return row.dryRun
    ? end(run, { state: 'done', report: full })
    : goOn(run, {
        ...{ state: 'writing', report: full, mapping: { ...mapping, merge: planned.stored } },
        statements: [untouched(run), ...insertRestoredRows(row.id, userId, planned.rows)],
      })
}

/**
 * Ids are kept if the archive is sealed for this user, but those of what is somebody else's by now, such as a budget that went to a
 * group. All others get ids that nobody can choose.
 */
async function decideMapping(
  { ctx, owner }: Run,
  { rows, manifest, contentHash }: Inspection,
): Promise<StoredMapping> {
  const { userId } = owner.caller
  if (!isSealed(ctx, userId, { contentHash, seal: manifest.seal })) {
    return { isKept: false, foreign: [], users: [] }
  }
  const users: string[] = []
  for (const some of inQueries(rows.users)) {
    const [found] = await readOrStop(ctx, knownUsers(some))
    users.push(...found.map(({ id }) => id))
  }
  const foreign = new Set<string>()
  for (const table of tablesWithIds()) {
    const named = [...(rows.ids.get(tableNameOf(table)) ?? []), ...rows.loose]
    for await (const id of foreignIds(ctx, table, named, userId)) {
      foreign.add(id)
    }
  }
  return { isKept: true, foreign: [...foreign], users }
}

/**
 * Refuses before anything is stored, unless each id of a row, and each that is made of it, is free or the owner's. Where all is to be
 * stored, not even the owner has one of them, such as a file in the trash: taking the restore back would erase it.
 */
async function requireFreeIds({ ctx, owner, row }: Run, rows: RowCheck, ids: IdMapping) {
  const pause = pauseRegularly()
  const mapped = async (some: Iterable<string>) => {
    const all: string[] = []
    const mapping = forEachInSteps(some, (id) => void all.push(mappedId(id, ids)))
    await runWithPauses(mapping, pause)
    return all
  }
  for (const table of tablesWithIds()) {
    const own = await mapped(rows.ids.get(tableNameOf(table)) ?? [])
    for (const some of row.mode === 'empty' && !row.dryRun ? inQueries(own) : []) {
      const [taken] = await readOrStop(ctx, takenIds(table, some))
      if (taken.length > 0) {
        throw backupErrors.notEmpty({
          what: `${tableNameOf(table).replaceAll('_', ' ')} in the trash`,
        })
      }
    }
    const made =
      tableNameOf(table) === 'transactions'
        ? [
            ...[...(await mapped(rows.ids.get('accounts') ?? [])), ...own].map(transactionIdFrom),
            ...own.map(transferIdFrom),
          ]
        : []
    const foreign = foreignIds(ctx, table, [...own, ...made], owner.caller.userId)
    if ((await foreign.next()).done !== true) {
      throw backupErrors.foreignRow()
    }
  }
}

const tablesWithIds = () => archivedTables().filter((one) => shapeOf(one).id !== undefined)

/** Returns the ids among these that belong to somebody else in a table. */
async function* foreignIds(
  ctx: Context,
  table: ArchivedTable,
  ids: readonly string[],
  ownerId: string,
): AsyncGenerator<string> {
  for (const some of inQueries(ids)) {
    const [found] = await readOrStop(ctx, idsOfOthers(table, some, ownerId))
    yield* found.map(({ id }) => id)
  }
}

function* inQueries(ids: Iterable<string>): Generator<string[]> {
  let some: string[] = []
  for (const id of ids) {
    some.push(id)
    if (some.length === IDS_PER_QUERY) {
      yield some
      some = []
    }
  }
  if (some.length > 0) {
    yield some
  }
}

/** The new ids of things that clients address by an id, by those of the archive. */
async function idMapOf(
  { ids }: RowCheck,
  mapping: IdMapping,
): Promise<NonNullable<RestoreReport['idMap']>> {
  const idMap: NonNullable<RestoreReport['idMap']> = []
  const pause = pauseRegularly()
  for (const some of [...ids].flatMap(([table, found]) =>
    table === 'transactions' ? [] : [found],
  )) {
    const telling = forEachInSteps(some, (from) => {
      const to = idMap.length < MOST_REPORTED ? mappedId(from, mapping) : from
      if (to !== from) {
        idMap.push({ from, to })
      }
    })
    await runWithPauses(telling, pause)
  }
  return idMap
}
