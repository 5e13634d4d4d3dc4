import type { AppError } from '../../../../domain/errors.ts'
import { shiftedId } from '../../../../platform/archived-rows.ts'
import { nameOf, shapeOf, takenIds } from '../../../../platform/archived-tables.ts'
import type { Context } from '../../../../platform/context.ts'
import { archivedTables } from '../../../../platform/owned-data.ts'
import { readOrStop } from '../../../../platform/tasks.ts'
import { type Inspection, inspect } from '../verifying/inspection.usecases.ts'
import type { RowCheck } from '../verifying/rows.usecases.ts'
import { filledTables, knownUsers } from './restoring.queries.ts'
import { notEmptyBecause, tablesToFill } from './restoring.usecases.ts'
import { errorOfFaults, IDS_PER_QUERY, MOST_TOLD, type RestoreReport } from './restoring.rules.ts'
import { end, goOn, type Run, type StoredMapping } from './runs.usecases.ts'

/** Reads all of an archive, and decides what becomes of its ids. Nothing is stored of it before. */
export async function check(run: Run): Promise<void> {
  const { ctx, read, row, owner } = run
  const inspection = await inspect(read, row.size)
  const report = reportOn(inspection)
  const error =
    errorOfFaults(inspection.faults) ??
    (inspection.manifest.formatVersion === 1 ? OLD_FORMAT : undefined)
  if (error) {
    return end(run, { state: 'failed', report: { ...report, error } })
  }
  const mapping = await decideMapping(ctx, inspection.rows)
  const full = { ...report, idMap: idMapOf(inspection.rows, mapping) }
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

const OLD_FORMAT = {
  code: 'backups.olderVersion',
  message:
    'This backup was made before backups could be restored. Import its readable/journal.hledger or readable/transactions.csv.',
  member: 'manifest.json',
  line: null,
}

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

/** Ids are kept unless one of them is in use. */
async function decideMapping(ctx: Context, rows: RowCheck): Promise<StoredMapping> {
  const isTaken = await hasTakenId(ctx, rows)
  const users: string[] = []
  for (const some of inQueries(rows.users)) {
    const [found] = await readOrStop(ctx, knownUsers(some))
    users.push(...found.map(({ id }) => id))
  }
  return {
    shift: isTaken ? randomShift(ctx) : null,
    strangers: isTaken ? [] : await strangersIn(ctx, rows),
    users,
  }
}

async function hasTakenId(ctx: Context, { ids }: RowCheck): Promise<boolean> {
  for (const table of archivedTables().filter((one) => shapeOf(one).id !== undefined)) {
    for (const some of inQueries(ids.get(nameOf(table)) ?? [])) {
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

/** At most a millisecond of the time in an id, and by chance. */
const randomShift = ({ ports }: Context): string =>
  String(ports.random(10).reduce((bits, byte) => (bits << 8n) | BigInt(byte), 0n) | 1n)

/** New ids of what people know by an id of its own. */
function idMapOf({ ids }: RowCheck, { shift }: StoredMapping): NonNullable<RestoreReport['idMap']> {
  if (shift === null) {
    return []
  }
  return [...ids]
    .filter(([table]) => table !== 'transactions')
    .flatMap(([, some]) => [...some])
    .slice(0, MOST_TOLD)
    .map((from) => ({ from, to: shiftedId(from, BigInt(shift)) }))
}
