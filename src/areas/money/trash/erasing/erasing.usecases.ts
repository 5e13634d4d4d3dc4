import { AppError } from '../../../../domain/errors.ts'
import { TRASH_KEPT_MS, trashErrors } from '../../../../domain/owned-data.ts'
import type { Context, SignedIn } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database.ts'
import { forAllRows } from '../../../../platform/each-row.ts'
import type { Change } from '../../../../platform/events.ts'
import { type Erased, ownedData, type TrashScope } from '../../../../platform/owned-data.ts'
import type { Statement } from '../../../../platform/statements.ts'
import { readOrStop } from '../../../../platform/tasks.ts'
import { trashEvents } from '../trash.events.ts'
import { countOfMarked, total } from '../trash.queries.ts'

/** Commits of one run, so that it ends well within its lease; what is left is another task's. */
const MOST_COMMITS = 100

export const ERASE_TRASH = 'trash.erase'
export const PURGE_TRASH = 'trash.purge'

/** Kinds of which one commit erases some when they are due. */
const small = () =>
  ownedData().flatMap(({ trash }) => (trash?.shelves ?? []).flatMap(({ due }) => due ?? []))

/** Kinds that are marked when they are due and then erased in steps. */
const large = () => ownedData().flatMap(({ trash }) => trash?.large ?? [])

/** Some of what is due of each kind. */
interface Due {
  statements: Statement[]
  counts: { transactions: number; rows: number }
  /** Whether it is all that is due. */
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
export const eraseTrash = (ctx: Context, scope: TrashScope, finish: Statement[]): Promise<void> =>
  eraseInSteps(ctx, scope, { kind: ERASE_TRASH, finish })

/** Erases, every night, what was deleted too long ago, and what a task left behind. */
export async function purgeTrash(
  ctx: Context,
  { after }: Pick<TrashScope, 'after'>,
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
            facts: countOfMarked(large().map(({ marked }) => marked(ctx, scope))),
          }),
        ],
      },
    ],
    result: undefined,
  })
  await eraseInSteps(ctx, scope, { kind: PURGE_TRASH, finish })
}

/**
 * May be killed anywhere: the next run goes on with what is left. What cannot be erased holds up nothing but itself, and the
 * task, which fails when all others are gone.
 */
async function eraseInSteps(
  ctx: Context,
  scope: TrashScope,
  { kind, finish }: { kind: string; finish: Statement[] },
): Promise<void> {
  let { after } = scope
  const except: string[] = []
  let refusal: { error: unknown } | undefined
  const putBack = ({ id }: ErasedRow, error: unknown) => {
    refusal = { error }
    if (step?.isLarge) {
      after = id
    } else {
      except.push(id)
    }
  }
  let step = await nextStep(ctx, scope)
  for (let commits = 0; step && commits < MOST_COMMITS; commits++) {
    const { rows, changesOf } = step
    await forAllRows(ctx, { work: kind, rows, putBack }, (some) =>
      // Another run was faster, or somebody changed the other end of a transfer: what is left now is read anew.
      unlessChanged(() => commit(ctx, { changes: changesOf(some), result: undefined })),
    )
    step = await nextStep(ctx, { ...scope, after, except })
  }
  if (refusal && !step) {
    throw refusal.error
  }
  const { erasureContinued, erasureDone } = trashEvents
  await commit(ctx, {
    changes: [
      { statements: finish, events: [(step ? erasureContinued : erasureDone)(trashOf(scope))] },
    ],
    result: undefined,
    tasks: step ? [{ kind, payload: { ...scope, after } }] : [],
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

/** A thing in the trash; of a small one also the place of its kind. */
interface ErasedRow {
  id: string
  at?: number
}

interface Step {
  /** Whether it is some of an account, and the only row that account. */
  isLarge: boolean
  rows: ErasedRow[]
  changesOf: (rows: readonly ErasedRow[]) => Change[]
}

/** Returns the next erasing commit; undefined if nothing is left. */
async function nextStep(ctx: Context, scope: TrashScope): Promise<Step | undefined> {
  const found = await readOrStop(ctx, ...small().map(({ find }) => find(scope)))
  const rows = found.flatMap((some, at) => some.map(({ id }) => ({ id, at })))
  if (rows.length > 0) {
    return { isLarge: false, rows, changesOf: (some) => [erasureOf(scope, found.length, some)] }
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
        isLarge: true,
        rows: [{ id: accountId }],
        changesOf: () => [...changes(), { statements: [], events: [event] }],
      }
    }
  }
  return undefined
}

function erasureOf(scope: TrashScope, kinds: number, rows: readonly ErasedRow[]): Change {
  const byKind = Array.from({ length: kinds }, (_, kind) => rows.filter(({ at }) => at === kind))
  const { statements, counts } = dueOf(scope, byKind)
  return { statements, events: [trashEvents.erased(trashOf(scope), counts)] }
}
