import { jsonLine } from '../../../../domain/text.ts'
import { nameOf } from '../../../../platform/archived-tables.ts'
import { sha256Hex, startSha256 } from '../../../../platform/crypto.ts'
import { archivedTables, ownedData } from '../../../../platform/owned-data.ts'
import { readOrStop } from '../../../../platform/tasks.ts'
import { backupErrors } from '../backups.errors.ts'
import { backupEvents } from '../backups.events.ts'
import { FORMAT_VERSION, linesToHash } from '../backups.rules.ts'
import { rowPages } from '../making/rows.usecases.ts'
import { membersOf } from '../verifying/inspection.usecases.ts'
import { memberOf } from '../verifying/rows.usecases.ts'
import { end, goOn, mappedLines, mappingOf, type Run, thingOf, untouched } from './runs.usecases.ts'

interface HashedFile {
  path: string
  sha256: string
}

/** Compares all rows, as the next backup has them, with the archive. */
export async function compare(run: Run): Promise<void> {
  const { owner, read, row, report } = run
  const members = await membersOf(read, row.size)
  const mapping = mappingOf(run)
  const files: HashedFile[] = []
  for (const table of archivedTables()) {
    await readOrStop(run.ctx)
    const [expected, found] = [startSha256(), startSha256()]
    for await (const { archived, mapped } of mappedLines(read, members, table, mapping)) {
      expected.add(jsonLine(mapped))
      if (table.file && members.has(table.file.pathOf(archived))) {
        files.push({ path: table.file.pathOf(mapped), sha256: String(mapped['sha256']) })
      }
    }
    for await (const rows of rowPages(owner, table)) {
      rows.forEach((one) => found.add(jsonLine(one)))
    }
    if (expected.digest() !== found.digest()) {
      throw backupErrors.different({ table: nameOf(table) })
    }
    files.push({ path: memberOf(table), sha256: found.digest() })
  }
  const contentHash = sha256Hex(linesToHash(files, FORMAT_VERSION))
  return goOn(run, { state: 'reading', report: { ...report, contentHash } })
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
    events: [backupEvents.restored(thingOf(run), { contentHash, counts })],
  })
}

/** Lists that say nothing of what was restored. */
const OF_THE_LOG = new Set(['auditLog', 'accountHistory'])
