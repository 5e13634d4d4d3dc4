import {
  type TrashItem,
  type TrashKind,
  trashErrors,
  TRASH_KEPT_MS,
} from '../../../domain/owned-data.ts'
import type { SignedIn, Context } from '../../../platform/context.ts'
import { read, commit } from '../../../platform/database/database.ts'
import {
  type Erased,
  ownedData,
  type TrashedKind,
  trashedKindOf,
  type TrashPosition,
  type TrashScope,
} from '../../../platform/owned-data/owned-data.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/database/paging.ts'
import { AppError } from '../../../domain/errors.ts'
import { forAllRows } from '../../../platform/work/each-row.ts'
import type { Change } from '../../../platform/log/events.ts'
import type { Statement } from '../../../platform/database/statements.ts'
import { readOrStop } from '../../../platform/work/tasks.ts'
import { total, markedAccountsFact } from './trash.queries.ts'
import { newestFirst } from './trash.rules.ts'
import { trashEvents } from './trash.events.ts'

/** Everything that was deleted and can be restored. */
export async function listTrash(
  ctx: SignedIn,
  { kind }: { kind?: TrashKind | undefined },
  page: PageRequest,
): Promise<Page<TrashItem>> {
  const shelves = ownedData()
    .flatMap(({ trash }) => trash?.shelves ?? [])
    .filter(({ kinds }) => kind === undefined || kinds.includes(kind))
  const [[counted], ...found] = await read(
    ctx,
    total(shelves.map(({ count }) => count(ctx, kind))),
    ...shelves.map((shelf) => shelf.page(ctx, kind, page)),
  )
  return {
    ...cutPage(newestFirst(found.flat()), page, ({ deletedAt, id }) => [String(deletedAt), id]),
    count: counted?.count ?? 0,
  }
}

/** Brings back what was deleted, with all that hung on it. */
export async function restoreFromTrash(
  ctx: SignedIn,
  kind: TrashKind,
  id: string,
  force?: boolean,
): Promise<void> {
  await trashed(kind).restore(ctx, id, force)
}

/** Erases one thing in the trash for good, or marks it and has a task erase it in steps. */
export const eraseFromTrash = (ctx: SignedIn, kind: TrashKind, id: string): Promise<Erased> =>
  trashed(kind).erase(ctx, id, {
    kind: ERASE_TRASH,
    payload: { ownerId: ctx.caller.userId, before: 0 },
  })

function trashed(kind: TrashKind): TrashedKind {
  const found = trashedKindOf(kind)
  if (!found) {
    throw trashErrors.notFound()
  }
  return found
}

/** Commits of one run, so that it ends well within its lease; what is left is another task's. */
const MOST_COMMITS = 100

export const ERASE_TRASH = 'trash.erase'
export const PURGE_TRASH = 'trash.purge'

/** Kinds of which one commit erases some when they are due. */
const small = () =>
  ownedData()
    .flatMap(({ trash }) => trash?.shelves ?? [])
    .flatMap(({ kinds, due }) => (due ? [{ ...due, kind: String(kinds[0]) }] : []))

/** Kinds that are marked when they are due and then erased in steps. */
const large = () => ownedData().flatMap(({ trash }) => trash?.large ?? [])

/** Some of what is due of each kind. */
interface Due {
  statements: Statement[]
  counts: { transactions: number; rows: number }
  /** True if there are no further due ones. */
  isAll: boolean
}

function dueOf(scope: TrashScope, found: { id: string }[][]): Due {
  const counts = { transactions: 0, rows: 0 }
  let isAll = true
  const statements = small().flatMap(({ name, atOnce, erase }, at) => {
    const ids = (found[at] ?? []).map(({ id }) => id)
    counts[name] += ids.length
    isAll = isAll && ids.length < atOnce
    return erase(ids, scope)
  })
  return { statements, counts, isAll }
}

/** Empties the trash: what is little at once, large things and the rest by a task. */
export async function emptyTrash(ctx: SignedIn): Promise<Erased> {
  const scope = { ownerId: ctx.caller.userId, before: ctx.now }
  const [[marked], ...found] = await read(
    ctx,
    total(large().map(({ toMark }) => toMark(ctx))),
    ...small().map(({ find }) => find(scope)),
  )
  if (ctx.caller.token?.accountIds) {
    throw trashErrors.tokenIsRestricted()
  }
  const { statements, counts, isAll } = dueOf(scope, found)
  const accounts = marked?.count ?? 0
  const isDone = isAll && accounts === 0
  return commit(ctx, {
    changes: [
      {
        statements: [...large().map(({ mark }) => mark(ctx, scope)), ...statements],
        events: [trashEvents.emptied({ id: null }, { ...counts, accounts })],
      },
    ],
    tasks: isDone ? [] : [{ kind: ERASE_TRASH, payload: scope }],
    result: { isDone },
  })
}

/** The task behind `erase` and `emptyTrash`. */
export const eraseTrash = (
  ctx: Context,
  { failed, ...scope }: TrashScope & Begun,
  finish: Statement[],
): Promise<void> => eraseInSteps(ctx, scope, { kind: ERASE_TRASH, failed, finish })

/** Erases, every night, what was deleted too long ago, and what a task left behind. */
export async function purgeTrash(
  ctx: Context,
  { after, failed }: Pick<TrashScope, 'after'> & Begun,
  finish: Statement[],
): Promise<void> {
  const scope = { before: ctx.now - TRASH_KEPT_MS, after }
  await commit(ctx, {
    changes: [
      {
        statements: large().map(({ mark }) => mark(ctx, scope)),
        events: [
          trashEvents.purgeBegun({
            id: null,
            facts: markedAccountsFact(large().map(({ marked }) => marked(ctx, scope))),
          }),
        ],
      },
    ],
    result: undefined,
  })
  await eraseInSteps(ctx, scope, { kind: PURGE_TRASH, failed, finish })
}

/** By kind, the last small thing that could not be erased: what is due after it is seen to before it is tried again. */
export type Failed = Record<string, TrashPosition>

/** The progress that a task takes over from the tasks before it. */
interface Begun {
  failed?: Failed | undefined
}

/**
 * May be killed anywhere: the next run goes on with what is left. What cannot be erased holds up nothing but itself, and the
 * task, which fails when all others are gone.
 */
async function eraseInSteps(
  ctx: Context,
  scope: TrashScope,
  { kind, failed: before = {}, finish }: Begun & { kind: string; finish: Statement[] },
): Promise<void> {
  let { after } = scope
  const failed = { ...before }
  let refusal: { error: unknown } | undefined
  let commits = 0
  const putBack = ({ id, place }: ErasedRow, error: unknown) => {
    refusal = { error }
    commits++
    if (place) {
      failed[place.kind] = { id, deletedAt: place.deletedAt }
    } else {
      after = id
    }
  }
  let step = await nextStep(ctx, scope, failed)
  for (; step && commits < MOST_COMMITS; commits++) {
    const { rows, changesOf } = step
    await forAllRows(ctx, { work: kind, rows, putBack }, (some) =>
      // Another run was faster, or somebody changed the other end of a transfer: what is left now is read anew.
      unlessChanged(() => commit(ctx, { changes: changesOf(some), result: undefined })),
    )
    step = await nextStep(ctx, { ...scope, after }, failed)
  }
  const hasFailed = Object.keys(failed).length > 0
  if (!step && (refusal || hasFailed)) {
    throw refusal?.error ?? trashErrors.leftBehind()
  }
  const { erasureContinued, erasureDone } = trashEvents
  const payload = { ...scope, after, ...(hasFailed ? { failed } : {}) }
  await commit(ctx, {
    changes: [
      { statements: finish, events: [(step ? erasureContinued : erasureDone)(trashOf(scope))] },
    ],
    result: undefined,
    tasks: step ? [{ kind, payload }] : [],
  })
}

async function unlessChanged(erase: () => Promise<void>): Promise<void> {
  try {
    await erase()
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== trashErrors.changedMeanwhile().code) {
      throw error
    }
  }
}

const trashOf = ({ ownerId }: TrashScope) => ({
  id: null,
  ...(ownerId === undefined ? {} : { ownerId }),
})

/** A thing in the trash; of a small one also its place. */
interface ErasedRow {
  id: string
  place?: { kind: string; deletedAt: number }
}

interface Step {
  /** Small things, or an account, some of which is erased. */
  rows: ErasedRow[]
  changesOf: (rows: readonly ErasedRow[]) => Change[]
}

/** Returns the next erasing commit; undefined if nothing is left. */
async function nextStep(
  ctx: Context,
  scope: TrashScope,
  failed: Failed,
): Promise<Step | undefined> {
  const kinds = small()
  const found = await readOrStop(ctx, ...kinds.map(({ kind, find }) => find(scope, failed[kind])))
  const rows = kinds.flatMap(({ kind }, at) =>
    (found[at] ?? []).map(({ id, deletedAt }) => ({ id, place: { kind, deletedAt } })),
  )
  if (rows.length > 0) {
    return { rows, changesOf: (some) => [erasureOf(scope, some)] }
  }
  for (const { nextStep: stepOf } of large()) {
    const step = await stepOf(ctx, scope)
    if (step) {
      const { accountId, transactions, changes } = step
      const event = trashEvents.erased(trashOf(scope), {
        accountId,
        ...(transactions > 0 ? { transactions } : {}),
      })
      return {
        rows: [{ id: accountId }],
        changesOf: () => [...changes(), { statements: [], events: [event] }],
      }
    }
  }
  return undefined
}

function erasureOf(scope: TrashScope, rows: readonly ErasedRow[]): Change {
  const byKind = small().map(({ kind }) => rows.filter(({ place }) => place?.kind === kind))
  const { statements, counts } = dueOf(scope, byKind)
  return { statements, events: [trashEvents.erased(trashOf(scope), counts)] }
}
