import type { AppError } from '../../../../domain/errors.ts'
import { deleteFiles } from '../../../../platform/files/bucket.ts'
import { freshId, type SignedIn, type Context } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import { withoutEvents } from '../../../../platform/log/events.ts'
import { archivedTables } from '../../../../platform/owned-data/owned-data.ts'
import { cutPage, type Page, type PageRequest } from '../../../../platform/database/paging.ts'
import { isCertain } from '../../../../platform/database/refusals.ts'
import {
  type ArchivedRow,
  type ArchivedTable,
  tableNameOf,
  shapeOf,
} from '../../../../platform/owned-data/archived-tables.ts'
import {
  isDecided,
  knownBy,
  existingRows,
} from '../../../../platform/owned-data/archived-merging.ts'
import { readOrStop } from '../../../../platform/work/tasks.ts'
import { newJob } from '../../../operations/jobs/jobs.public.ts'
import type { TaskRow } from '../../../operations/queue-tasks/queue-tasks.public.ts'
import { backupErrors } from '../backups.errors.ts'
import { backupEvents } from '../backups.events.ts'
import { requireUnrestrictedForBackups } from '../backups.usecases.ts'
import { readerOf } from '../uploads.usecases.ts'
import { requireArchive } from '../verifying/inspection.usecases.ts'
import { type ArchiveSource, openArchiveSource } from '../verifying/verifying.usecases.ts'
import {
  countOfRestores,
  filledTables,
  insertRestore,
  mustBeEmpty,
  pageOfRestores,
  restoreById,
  restoresUnderWay,
  type RestoreRow,
} from './restoring.queries.ts'
import { RESTORED_ROWS_AT_ONCE, restoredRowsOf } from './merging.queries.ts'

export const RESTORE_BACKUP = 'backups.restore'

export interface RestoreInput extends ArchiveSource {
  fileName?: string | undefined
  mode: 'empty' | 'merge'
  /** Own accounts by those of the archive that they stand for. */
  accountMap?: Record<string, string> | undefined
  dryRun: boolean
}

export interface RequestedRestore {
  id: string
  job: TaskRow
}

/** Returns the tables that must be empty: all archived tables except those of which every user has one row. */
export const tablesToFill = () =>
  archivedTables().filter(({ isSingle, of }) => isSingle === undefined && of === undefined)

/** Has an archive restored for the caller: who has no data, or into the data that is there. */
export async function restoreBackup(
  ctx: SignedIn,
  { mode, accountMap = {}, dryRun, fileName, ...source }: RestoreInput,
): Promise<RequestedRestore> {
  const { repeatable } = ctx
  delete ctx.repeatable
  const { userId } = ctx.caller
  const [[found = {}], underWay] = await read(
    ctx,
    filledTables(tablesToFill(), userId),
    restoresUnderWay(userId),
  )
  requireUnrestrictedForBackups(ctx)
  const isMerged = mode === 'merge'
  if (!isMerged && Object.keys(accountMap).length > 0) {
    throw backupErrors.mapWithoutMerge({ field: 'accountMap' })
  }
  // A request that keeps its answer may have restored the archive on its first attempt.
  const refusal =
    underWay.length > 0
      ? backupErrors.restoreUnderWay()
      : isMerged
        ? undefined
        : notEmptyBecause(found)
  if (refusal && !dryRun && !repeatable) {
    throw refusal
  }
  const archive = await openArchiveSource(ctx, source)
  const { objects, size, sha256, statements } = archive
  const objectKey = archive.isTemporary ? (objects[0]?.objectKey ?? null) : null
  try {
    await requireArchive(readerOf(ctx, archive), size)
    if (repeatable) {
      // The key stands for the bytes, too.
      ctx.repeatable = { ...repeatable, body: `${repeatable.body}\n${sha256}` }
    }
    const id = freshId(ctx, 'rst')
    const { task, job } = newJob(ctx, {
      kind: RESTORE_BACKUP,
      payload: { restoreId: id },
      summary: id,
    })
    const row = {
      ...{ id, ownerId: userId, taskId: job.id, state: 'checking' as const, mode },
      ...{ accountMap: JSON.stringify(accountMap), dryRun },
      ...{ fileName: fileName ?? null, size, sha256, objects: JSON.stringify(objects), objectKey },
      ...{
        mapping: null,
        replaced: '{}',
        nextStep: 0,
        nextLine: 0,
        report: '{}',
        finishedAt: null,
      },
      ...{ version: 1, createdAt: ctx.now, updatedAt: ctx.now },
    }
    return await commit(ctx, {
      changes: [
        withoutEvents(statements),
        {
          statements: [
            ...insertRestore(row),
            ...(dryRun || isMerged ? [] : [mustBeEmpty(tablesToFill(), userId)]),
          ],
          events: [
            backupEvents.restoreRequested({ id, resourceType: 'restore' }, { sha256, dryRun }),
          ],
        },
      ],
      tasks: [task],
      result: { id, job },
    })
  } catch (error) {
    await (objectKey !== null && isCertain(error) ? deleteFiles(ctx, [objectKey]) : undefined)
    throw error
  }
}

/** @param found which tables have rows, by their names */
export function notEmptyBecause(found: Record<string, 0 | 1>): AppError | undefined {
  const filled = Object.keys(found).filter((name) => found[name] === 1)
  const what = filled.map((name) => name.replaceAll('_', ' ')).join(', ')
  return filled.length > 0 ? backupErrors.notEmpty({ what }) : undefined
}

export async function listRestores(ctx: SignedIn, page: PageRequest): Promise<Page<RestoreRow>> {
  const [found, [total]] = await read(ctx, pageOfRestores(ctx, page), countOfRestores(ctx))
  requireUnrestrictedForBackups(ctx)
  return { ...cutPage(found, page, ({ id }) => [id]), count: total?.count ?? 0 }
}

export async function getRestore(ctx: SignedIn, id: string): Promise<RestoreRow> {
  const [[found]] = await read(ctx, restoreById(ctx, id))
  requireUnrestrictedForBackups(ctx)
  if (!found) {
    throw backupErrors.restoreNotFound()
  }
  return found
}

/** A line of an archive: its row as it is there, and as a backup of what is restored has it. */
export interface MappedLine {
  archived: ArchivedRow
  mapped: ArchivedRow
}

/** Decides which rows of an archive are added to existing data. */
export class Merge {
  /** The keys of added rows. */
  readonly added = new Set<string>()
  /** Rows that are neither there nor added. */
  readonly left = new Set<string>()
  /** Rows that are there, by the ids of those that they stand for. */
  readonly same = new Map<string, string>()
  /** The members of `left` that are in the trash although other rows need them. */
  readonly inTrash = new Map<string, { kind: string; name: string }>()

  private readonly ctx: Context
  private readonly ownerId: string
  private readonly isFresh: boolean

  constructor(ctx: Context, ownerId: string, isFresh: boolean) {
    this.ctx = ctx
    this.ownerId = ownerId
    this.isFresh = isFresh
  }

  /**
   * Returns the rows among these of a table that are added. Rows that they refer to must have been decided before.
   */
  async additions(table: ArchivedTable, lines: MappedLine[]): Promise<MappedLine[]> {
    const shape = shapeOf(table)
    const wanted = lines.filter(({ mapped }) => this.comes(table, mapped))
    if (wanted.length === 0 || !isDecided(table, shape.id)) {
      return this.asAdded(table, wanted)
    }
    const rows = wanted.map(({ mapped }) => mapped)
    const [present] = await readOrStop(this.ctx, existingRows(table, rows, this.ownerId))
    const there = new Set(present.map(({ place }) => place))
    for (const { place, isOwn, isShown } of present) {
      const row = rows[place]
      if (isOwn === 0) {
        throw backupErrors.foreignRow()
      }
      if (isShown === 0 && row) {
        this.left.add(knownBy(table, row))
      }
    }
    const fresh = wanted.filter((_, at) => !there.has(at))
    fresh.forEach(({ mapped }) => this.added.add(knownBy(table, mapped)))
    return this.asAdded(table, fresh)
  }

  /** True if a row was added, once all rows are decided. */
  isAdded(table: ArchivedTable, { mapped }: MappedLine): boolean {
    return isDecided(table, shapeOf(table).id)
      ? this.added.has(knownBy(table, mapped))
      : this.comes(table, mapped)
  }

  /** Rows as they are added. A line of an account that was there belongs to none of the statements that it was reconciled with. */
  asAdded(table: ArchivedTable, lines: MappedLine[]): MappedLine[] {
    for (const { mapped } of this.inTrash.size > 0 ? lines : []) {
      this.requireNotInTrash(table, mapped)
    }
    return LINES.has(tableNameOf(table)) ? lines.map((line) => this.unreconciled(line)) : lines
  }

  private unreconciled(line: MappedLine): MappedLine {
    const { mapped } = line
    return mapped['status'] === 'reconciled' && !this.added.has(String(mapped['account_id']))
      ? { ...line, mapped: { ...mapped, status: 'cleared' } }
      : line
  }

  private requireNotInTrash(table: ArchivedTable, row: MappedLine['mapped']): void {
    const label = referencesOf(table, row)
      .map((id) => this.inTrash.get(id))
      .find((one) => one !== undefined)
    if (label) {
      throw backupErrors.inTrash(label)
    }
  }

  /** True if the rows that a row refers to allow adding it. */
  private comes(table: ArchivedTable, row: MappedLine['mapped']): boolean {
    const { merge, of } = table
    if (merge?.with) {
      const named = merge.with.map(({ name }) => row[name] ?? '').filter((id) => id !== '')
      const isNew = (id: string | number) => this.added.has(String(id))
      const isWith = merge.withAll ? named.every(isNew) : named.some(isNew)
      if (named.length === 0 ? !this.isFresh : !isWith) {
        return false
      }
    } else if (of && !this.added.has(String(row[of.column.name]))) {
      return false
    }
    return (
      !this.left.has(knownBy(table, row)) &&
      !referencesOf(table, row).some((id) => this.left.has(id) && !this.inTrash.has(id))
    )
  }
}

/** The rows that a row refers to. */
const referencesOf = (table: ArchivedTable, row: MappedLine['mapped']): string[] =>
  shapeOf(table)
    .columns.filter(({ refersTo }) => refersTo)
    .flatMap(({ name }) => String(row[name] ?? ''))

const LINES = new Set(['entries', 'unbooked_entries'])

/** Loads the decisions and the progress of a merge. */
export async function loadMerge(
  ctx: Context,
  { id, ownerId, isFresh }: { id: string; ownerId: string; isFresh: boolean },
): Promise<Merge> {
  const merge = new Merge(ctx, ownerId, isFresh)
  let after: string | undefined = ''
  while (after !== undefined) {
    const found: { id: string; becomes: string | null }[] = (
      await readOrStop(ctx, restoredRowsOf(id, after))
    )[0]
    for (const row of found) {
      if (row.becomes === null) {
        merge.left.add(row.id)
      } else if (row.becomes === row.id) {
        merge.added.add(row.id)
      } else {
        merge.same.set(row.id, row.becomes)
      }
    }
    after = found.length === RESTORED_ROWS_AT_ONCE ? found.at(-1)?.id : undefined
  }
  return merge
}
