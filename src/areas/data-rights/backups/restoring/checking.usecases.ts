import type { AppError } from '../../../../domain/errors.ts'
import { type IdMapping, mappedId, shiftedId } from '../../../../platform/archived-rows.ts'
import { takenIds } from '../../../../platform/archived-merging.ts'
import { tableNameOf, shapeOf } from '../../../../platform/archived-tables.ts'
import type { Context } from '../../../../platform/context.ts'
import { sha256Hex } from '../../../../platform/crypto.ts'
import { archivedTables } from '../../../../platform/owned-data.ts'
import { readOrStop } from '../../../../platform/tasks.ts'
import { backupErrors } from '../backups.errors.ts'
import { MANIFEST } from '../backups.rules.ts'
import { type Inspection, inspect, membersOf } from '../verifying/inspection.usecases.ts'
import type { RowCheck } from '../verifying/rows.usecases.ts'
import { insertRestoredRows, whoseIds } from './merging.queries.ts'
import { planMerge } from './planning.usecases.ts'
import { filledTables, knownUsers } from './restoring.queries.ts'
import { notEmptyBecause, tablesToFill } from './restoring.usecases.ts'
import { errorOfFaults, IDS_PER_QUERY, MOST_TOLD, type RestoreReport } from './restoring.rules.ts'
import { end, goOn, idsOf, type Run, type StoredMapping, untouched } from './runs.usecases.ts'

/** Reads all of an archive, and decides what becomes of its ids. Nothing is stored of it before. */
export async function check(run: Run): Promise<void> {
  const { ctx, read, row, owner } = run
  const inspection = await inspect(read, row.size)
  const report = reportOn(inspection)
  const error =
    errorOfFaults(inspection.faults) ??
    (inspection.manifest.formatVersion === 1
      ? errorFrom(backupErrors.olderVersion(), MANIFEST)
      : undefined)
  if (error) {
    return end(run, { state: 'failed', report: { ...report, error } })
  }
  const mapping = await decideMapping(run, inspection)
  if (row.mode === 'merge') {
    return checkMerge(run, inspection, mapping, report)
  }
  const full = { ...report, idMap: idMapOf(inspection.rows, idsOf(mapping)) }
  if (row.dryRun) {
    const [[found = {}]] = await readOrStop(ctx, filledTables(tablesToFill(), owner.caller.userId))
    const refusal = notEmptyBecause(found)
    return refusal
      ? end(run, { state: 'failed', report: { ...full, error: errorFrom(refusal) } })
      : end(run, { state: 'done', report: full })
  }
  return goOn(run, { state: 'writing', report: full, mapping })
}

const errorFrom = ({ code, message }: AppError, member: string | null = null) => ({
  code,
  message,
  member,
  line: null,
})

function reportOn({ manifest, contentHash, known }: Inspection): RestoreReport {
  const counts = Object.entries(manifest.counts).flatMap(([name, count]) =>
    name.startsWith('data/') ? [[name.slice('data/'.length), count] as const] : [],
  )
  return {
    formatVersion: manifest.formatVersion,
    archiveCreatedAt: manifest.createdAt,
    archiveHash: contentHash,
    counts: Object.fromEntries(counts),
    balances: [...known.accounts.values()]
      .slice(0, MOST_TOLD)
      .map(({ id: accountId, name, currency, balance }) => ({
        ...{ accountId, name, currency, balance },
      })),
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
    ids: idsOf(mapping),
    archived: rows.ids.get('accounts') ?? new Set(),
    isFresh: notEmptyBecause(found) === undefined,
  })
  const same = new Map(
    planned.rows.flatMap(({ id, becomes }) => (becomes === null ? [] : [[id, becomes] as const])),
  )
  const full = {
    ...report,
    idMap: idMapOf(rows, { ...idsOf(mapping), same }),
    merged: planned.counts,
  }
  return row.dryRun
    ? end(run, { state: 'done', report: full })
    : goOn(run, {
        ...{ state: 'writing', report: full, mapping: { ...mapping, merge: planned.stored } },
        statements: [untouched(run), ...insertRestoredRows(row.id, userId, planned.rows)],
      })
}

/** Ids are kept unless one of them is in use. Where data is merged, they become what they became before. */
async function decideMapping(
  { ctx, owner, row }: Run,
  { rows, manifest }: Inspection,
): Promise<StoredMapping> {
  const { userId } = owner.caller
  const shift = shiftFor(manifest.userId, userId)
  const isShifted =
    row.mode === 'merge'
      ? await isShiftedHere(ctx, rows, BigInt(shift), userId)
      : await hasTakenId(ctx, rows)
  const users: string[] = []
  for (const some of inQueries(rows.users)) {
    const [found] = await readOrStop(ctx, knownUsers(some))
    users.push(...found.map(({ id }) => id))
  }
  return {
    shift: isShifted ? shift : null,
    strangers: isShifted ? [] : await strangersIn(ctx, rows),
    users,
  }
}

/**
 * What is added to ids that are in use: the same whenever archives of one user are restored for another one, so that what was
 * restored is found again. At most a millisecond of the time in an id.
 */
const shiftFor = (from: string, to: string): string =>
  String(BigInt(`0x${sha256Hex(`restore ${from} ${to}`).slice(0, SHIFT_DIGITS)}`) | 1n)

/** Of 80 bits. */
const SHIFT_DIGITS = 20

/** Tells whether ids of an archive are replaced: not where the user has some of them, but where the user has what some of them became. */
async function isShiftedHere(
  ctx: Context,
  rows: RowCheck,
  shift: bigint,
  ownerId: string,
): Promise<boolean> {
  const kept = await whose(ctx, rows, (id) => id, ownerId)
  if (kept.own) {
    return false
  }
  const shifted = await whose(ctx, rows, (id) => shiftedId(id, shift), ownerId)
  return shifted.own || kept.foreign
}

async function whose(
  ctx: Context,
  { ids }: RowCheck,
  map: (id: string) => string,
  ownerId: string,
): Promise<{ own: boolean; foreign: boolean }> {
  const whole = { own: false, foreign: false }
  const tables = archivedTables().filter((one) => shapeOf(one).id !== undefined && one.owner)
  for (const table of tables) {
    for (const some of inQueries(ids.get(tableNameOf(table)) ?? [])) {
      const [found] = await readOrStop(ctx, whoseIds(table, some.map(map), ownerId))
      whole.foreign ||= found.some(({ isOwn }) => isOwn === 0)
      if (found.some(({ isOwn }) => isOwn === 1)) {
        return { ...whole, own: true }
      }
    }
  }
  return whole
}

async function hasTakenId(ctx: Context, { ids }: RowCheck): Promise<boolean> {
  for (const table of archivedTables().filter((one) => shapeOf(one).id !== undefined)) {
    for (const some of inQueries(ids.get(tableNameOf(table)) ?? [])) {
      const [taken] = await readOrStop(ctx, takenIds(table, some))
      if (taken.length > 0) {
        return true
      }
    }
  }
  return false
}

/** Ids of what is here and not in the archive: whatever names them names nothing once it is restored. */
async function strangersIn(ctx: Context, { ids, loose }: RowCheck): Promise<string[]> {
  const known = [...ids.values()]
  const unknown = [...loose].filter((id) => !known.some((some) => some.has(id)))
  const tables = archivedTables().filter((one) => shapeOf(one).id !== undefined)
  const found = new Set<string>()
  for (const some of inQueries(unknown)) {
    const taken = await readOrStop(ctx, ...tables.map((table) => takenIds(table, some)))
    taken.flat().forEach(({ id }) => found.add(id))
  }
  return [...found]
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
function idMapOf({ ids }: RowCheck, mapping: IdMapping): NonNullable<RestoreReport['idMap']> {
  return [...ids]
    .filter(([table]) => table !== 'transactions')
    .flatMap(([, some]) => [...some])
    .map((from) => ({ from, to: mappedId(from, mapping) }))
    .filter(({ from, to }) => from !== to)
    .slice(0, MOST_TOLD)
}
