import { jsonLine } from '../../../../domain/text.ts'
import {
  type ArchivedRow,
  type ArchivedTable,
  tableNameOf,
} from '../../../../platform/owned-data/archived-tables.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { sha256Hex, startSha256 } from '../../../../platform/secrets/crypto.ts'
import { archivedTables, ownedData } from '../../../../platform/owned-data/owned-data.ts'
import { readOrStop } from '../../../../platform/work/tasks.ts'
import { backupErrors } from '../backups.errors.ts'
import { backupEvents } from '../backups.events.ts'
import { linesToHash } from '../backups.rules.ts'
import { rowPages } from '../making/making.usecases.ts'
import { membersOf } from '../verifying/inspection.usecases.ts'
import { archiveMemberOf } from '../verifying/rows.usecases.ts'
import type { ZipMember } from '../../../../platform/files/unzip.ts'
import { addToSum, NO_SUM } from './restoring.rules.ts'
import type { Merge } from './restoring.usecases.ts'
import { changedSinceRestore } from './restoring.queries.ts'
import {
  end,
  goOn,
  mappedLines,
  mappingOf,
  type Run,
  storedMappingOf,
  restoreThing,
  untouched,
  withMerge,
} from './runs.usecases.ts'

interface HashedFile {
  path: string
  sha256: string
}

/** Compares all rows, as the next backup has them, with the archive; an earlier version may have ordered its rows otherwise. */
export async function compare(stored: Run): Promise<void> {
  const run = await withMerge(stored)
  const { owner, read, row, report } = run
  const members = await membersOf(read, row.size)
  const mapping = mappingOf(run)
  const files: HashedFile[] = []
  for (const table of archivedTables()) {
    if (run.merge) {
      files.push(...(await compareMerged(run, run.merge, table, members)))
      continue
    }
    let expected = NO_SUM
    for await (const { archived, mapped } of mappedLines(read, members, table, mapping)) {
      expected = addRow(expected, mapped)
      if (table.file && members.has(table.file.pathOf(archived))) {
        files.push({ path: table.file.pathOf(mapped), sha256: String(mapped['sha256']) })
      }
    }
    const stands = await standing(owner, table)
    if (stands.sum !== expected) {
      throw backupErrors.different({ table: tableNameOf(table) })
    }
    files.push(stands.member)
  }
  const contentHash = sha256Hex(linesToHash(files))
  return goOn(run, { state: 'reading', report: { ...report, contentHash } })
}

/**
 * Compares the rows of a table with those that were there and those that were added: the one are as they were, and the other as
 * the archive has them.
 */
async function compareMerged(
  run: Run,
  merge: Merge,
  table: ArchivedTable,
  members: ReadonlyMap<string, ZipMember>,
): Promise<HashedFile[]> {
  const { owner, read } = run
  let expected = storedMappingOf(run).merge?.before[tableNameOf(table)] ?? NO_SUM
  for await (const line of mappedLines(read, members, table, mappingOf(run))) {
    if (merge.isAdded(table, line)) {
      for (const { mapped } of merge.asAdded(table, [line])) {
        expected = addRow(expected, mapped)
      }
    }
  }
  const files: HashedFile[] = []
  const { sum, member } = await standing(owner, table, (row) => {
    if (table.file) {
      files.push({ path: table.file.pathOf(row), sha256: String(row['sha256']) })
    }
  })
  if (sum !== expected) {
    const [touched] = await readOrStop(
      run.ctx,
      changedSinceRestore(run.row.id, owner.caller.userId),
    )
    throw touched.length > 0
      ? backupErrors.changedMeanwhile()
      : backupErrors.different({ table: tableNameOf(table) })
  }
  return [...files, member]
}

const addRow = (sum: string, row: ArchivedRow): string => addToSum(sum, sha256Hex(jsonLine(row)))

/** The rows of a table as they are now: their sum, and the member that the next backup makes of them. */
async function standing(
  owner: SignedIn,
  table: ArchivedTable,
  seen: (row: ArchivedRow) => void = () => undefined,
): Promise<{ sum: string; member: HashedFile }> {
  const whole = startSha256()
  let sum = NO_SUM
  for await (const rows of rowPages(owner, table)) {
    for (const row of rows) {
      whole.add(jsonLine(row))
      sum = addRow(sum, row)
      seen(row)
    }
  }
  return { sum, member: { path: archiveMemberOf(table), sha256: whole.digest() } }
}

/** Reads all that is restored as a backup would, so that nothing stays that cannot be read; then all is done. */
export async function readAll(run: Run): Promise<void> {
  const { ctx, owner, report } = run
  const texts = ownedData().flatMap(({ exports = [], readable = [] }) => [
    ...exports
      .filter(({ name }) => !OF_THE_LOG.has(name))
      .map(({ pages }) => pages(owner, () => undefined)),
    ...readable.map(({ text }) => text(owner)),
  ])
  for (const pages of texts) {
    await readOrStop(ctx)
    for await (const page of pages) {
      JSON.stringify(page)
    }
  }
  for (const { readBack } of ownedData()) {
    await readOrStop(ctx)
    await readBack?.(owner)
  }
  const { contentHash = '', counts = {} } = report
  return end(run, {
    state: 'done',
    report,
    statements: [untouched(run)],
    events: [backupEvents.restored(restoreThing(run), { contentHash, counts })],
  })
}

/** Lists that say nothing of what was restored. */
const OF_THE_LOG = new Set(['auditLog', 'accountHistory'])
