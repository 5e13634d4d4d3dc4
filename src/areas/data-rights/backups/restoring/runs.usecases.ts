import { AppError } from '../../../../domain/errors.ts'
import {
  coreRenewal,
  type IdMapping,
  mapRowInSteps,
} from '../../../../platform/owned-data/archived-ids.ts'
import { completeRow } from '../../../../platform/owned-data/archived-rows.ts'
import {
  type ArchivedRow,
  type ArchivedTable,
  shapeOf,
} from '../../../../platform/owned-data/archived-tables.ts'
import { deleteFiles } from '../../../../platform/files/bucket.ts'
import { type Context, freshId, type SignedIn } from '../../../../platform/context.ts'
import { commit } from '../../../../platform/database/database.ts'
import type { DomainEvent } from '../../../../platform/log/events.ts'
import { archivedTables } from '../../../../platform/owned-data/owned-data.ts'
import { pauseRegularly, runWithPauses } from '../../../../platform/work/pauses.ts'
import type { Statement } from '../../../../platform/database/statements.ts'
import { textLines } from '../../../../platform/files/text-lines.ts'
import { openMember, type ReadPart, type ZipMember } from '../../../../platform/files/unzip.ts'
import { backupErrors } from '../backups.errors.ts'
import { archiveMemberOf } from '../verifying/rows.usecases.ts'
import { advance, mustBeUntouched, type RunningRestore } from './restoring.queries.ts'
import { type RestoreReport, ROWS_PER_LOOK, type StoredMerge } from './restoring.rules.ts'
import { RESTORE_BACKUP, loadMerge, type Merge, type MappedLine } from './restoring.usecases.ts'

/** A restore that a task goes on with. */
export interface Run {
  ctx: Context
  owner: SignedIn
  row: RunningRestore
  report: RestoreReport
  read: ReadPart
  finish: Statement[]
  /** The decisions of a merge, once it has made them. */
  merge?: Merge
}

/** The restore as the thing of an event: the service acts, but it is theirs. */
export const restoreThing = ({ row, owner }: Run) => ({
  ...{ id: row.id, resourceType: 'restore', ownerId: owner.caller.userId },
})

export const untouched = ({ row, owner }: Run): Statement =>
  mustBeUntouched(row.id, owner.caller.userId, backupErrors.changedMeanwhile)

/** The state with which the next run begins. */
interface Next {
  state: RunningRestore['state']
  report?: RestoreReport
  mapping?: StoredMapping
  nextStep?: number
  nextLine?: number
  statements?: Statement[]
  events?: DomainEvent[]
}

/** Ends a run: another task goes on. */
export function goOn(run: Run, { statements = [], events = [], ...next }: Next): Promise<void> {
  const { ctx, row, finish } = run
  const taskId = freshId(ctx, 'tsk')
  return commit(ctx, {
    changes: [
      {
        statements: [...advance(ctx, row, { ...stored(next), taskId }), ...statements, ...finish],
        events,
      },
    ],
    tasks: [{ kind: RESTORE_BACKUP, id: taskId, payload: { restoreId: row.id }, summary: row.id }],
    result: undefined,
  })
}

/**
 * Ends a restore. The object that was stored for it alone is deleted at last, so that a run that is killed finds the archive; what
 * is left of it is swept.
 */
export async function end(
  run: Run,
  { statements = [], events = [], ...next }: Next & { state: 'done' | 'failed' },
): Promise<void> {
  const { ctx, row, finish } = run
  const ended = {
    ...stored(next),
    ...{ objects: '[]', objectKey: null, replaced: '{}', finishedAt: ctx.now },
  }
  await commit(ctx, {
    changes: [{ statements: [...advance(ctx, row, ended), ...statements, ...finish], events }],
    result: undefined,
  })
  await deleteFiles(ctx, row.objectKey === null ? [] : [row.objectKey])
}

const stored = ({ report, mapping, ...next }: Next) => ({
  ...next,
  ...(report ? { report: JSON.stringify(report) } : {}),
  ...(mapping ? { mapping: JSON.stringify(mapping) } : {}),
})

/** The mapping of ids, as it is stored in JSON. */
export interface StoredMapping {
  isKept: boolean
  foreign: string[]
  users: string[]
  merge?: StoredMerge
}

export const storedMappingOf = ({ row }: Pick<Run, 'row'>): StoredMapping =>
  JSON.parse(row.mapping ?? '{}') as StoredMapping

export function mappingOf(run: Pick<Run, 'ctx' | 'owner' | 'row' | 'merge'>): IdMapping {
  const stored = storedMappingOf(run)
  return {
    ...idsOf(run, stored),
    ...(run.merge && stored.merge ? { same: run.merge.same, changed: stored.merge.changed } : {}),
  }
}

export const idsOf = (
  { ctx, owner }: Pick<Run, 'ctx' | 'owner'>,
  { isKept, foreign, users }: StoredMapping,
): IdMapping => ({
  isKept,
  foreign: new Set(foreign),
  users: new Set(users),
  renew: coreRenewal(ctx.settings.appSecret, owner.caller.userId),
})

/** A run with what its merge has decided so far, if it merges. */
export async function withMerge(run: Run): Promise<Run> {
  const { merge } = storedMappingOf(run)
  return merge
    ? {
        ...run,
        merge: await loadMerge(run.ctx, {
          ...{ id: run.row.id, ownerId: run.owner.caller.userId, isFresh: merge.isFresh },
        }),
      }
    : run
}

/** Something that is stored of an archive: the rows of a table, or what is stored of them once all are there. */
export interface Step {
  table: ArchivedTable
  isLate: boolean
}

/** All steps in their order: what takes the place of something comes last. */
export function stepsOf(): Step[] {
  const tables = archivedTables()
  const rows = tables.map((table) => ({ table, isLate: false }))
  return [
    ...rows.filter(({ table }) => !table.isSingle),
    ...tables.filter(({ late }) => late).map((table) => ({ table, isLate: true })),
    ...rows.filter(({ table }) => table.isSingle),
  ]
}

/** The lines of a table. Archives that were made before the table came have none. */
export async function* mappedLines(
  read: ReadPart,
  members: ReadonlyMap<string, ZipMember>,
  table: ArchivedTable,
  mapping: IdMapping,
): AsyncGenerator<MappedLine> {
  const member = members.get(archiveMemberOf(table))
  const shape = shapeOf(table)
  const onceForUser = keepingFirst(table)
  const pause = pauseRegularly()
  if (!member) {
    return
  }
  for await (const line of textLines(openMember(read, member))) {
    const archived = completeRow(shape, JSON.parse(line) as ArchivedRow)
    const mapped = await runWithPauses(mapRowInSteps(shape, archived, mapping), pause)
    yield { archived, mapped: onceForUser(mapped) }
  }
}

/** Takes a value off all rows of a user but the first: they were of several users who have become one. */
function keepingFirst({ onceForUser }: ArchivedTable): (mapped: ArchivedRow) => ArchivedRow {
  if (!onceForUser) {
    return (mapped) => mapped
  }
  const { user, value, within } = onceForUser
  const seen = new Set<string>()
  return (mapped) => {
    if ((mapped[user.name] ?? '') === '') {
      return mapped
    }
    const one = [user, within, value].map(({ name }) => mapped[name]).join(' ')
    const isFirst = !seen.has(one)
    seen.add(one)
    return isFirst ? mapped : { ...mapped, [value.name]: null, [user.name]: '' }
  }
}

/** Items in pages of what one query looks up. */
export async function* pagesOf<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item[]> {
  let page: Item[] = []
  for await (const item of items) {
    page.push(item)
    if (page.length === ROWS_PER_LOOK) {
      yield page
      page = []
    }
  }
  if (page.length > 0) {
    yield page
  }
}

/** Tells whether another try may succeed, because the error does not come from the archive. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof AppError)) {
    return false
  }
  const isOfStore = error.kind === 'internal' && error.cause !== undefined
  const isConstraint =
    /SQLITE_CONSTRAINT|constraint failed|datatype mismatch|integer overflow|too big/.test(
      String(error.cause),
    )
  return (
    error.kind === 'unavailable' ||
    error.code.startsWith('tasks.') ||
    error.code === 'request.conflict' ||
    (isOfStore && !isConstraint)
  )
}
