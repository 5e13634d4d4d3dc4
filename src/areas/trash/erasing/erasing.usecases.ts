import type { Change } from '../../../platform/events.ts'
import { trashEvents } from '../trash.events.ts'
import { AppError } from '../../../domain/errors.ts'
import type { Context, SignedIn } from '../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../platform/database.ts'
import type { Statement } from '../../../platform/statements.ts'
import { taskTaken } from '../../../platform/task-rows.ts'
import { readOrStop } from '../../../platform/tasks.ts'
import { eraseAccounts, markAccount, accountEvents } from '../../accounts/accounts.public.ts'
import { ERASED_AT_ONCE, trashedRowById } from '../../../ledger/trash/trash.public.ts'
import { eraseWithAccount, eraseFromTrash } from '../../../ledger/ledger.public.ts'
import { trashErrors } from '../trash.errors.ts'
import { trashedAccountById } from '../trash.queries.ts'
import { changedMeanwhile } from '../trash.usecases.ts'
import { eraseRow } from '../rows/rows.usecases.ts'
import { isRowKind, KEPT_MS, type TrashKind } from '../trash.rules.ts'
import {
  accountsToMark,
  bookedOnMarked,
  countOfMarked,
  dueRows,
  dueTransactions,
  eraseDueRows,
  eraseDueTransactions,
  putAwayOnMarked,
  markDueAccounts,
  markedAccount,
  type Scope,
} from './erasing.queries.ts'

/** Commits of one run, so that it ends well within its lease; what is left is another task's. */
const MOST_COMMITS = 100

export const ERASE_TRASH = 'trash.erase'
export const PURGE_TRASH = 'trash.purge'

/** What an erasure answers: whether all of it is gone, or a task is about to see to the rest. */
export interface Erased {
  isDone: boolean
}

/** Erases one thing in the trash for good. */
export const erase = (ctx: SignedIn, kind: TrashKind, id: string): Promise<Erased> =>
  isRowKind(kind)
    ? eraseRow(ctx, kind, id).then(() => ({ isDone: true }))
    : kind === 'account'
      ? eraseAccount(ctx, id)
      : eraseTransaction(ctx, kind, id)

async function eraseTransaction(
  ctx: SignedIn,
  kind: 'transaction' | 'transfer',
  id: string,
): Promise<Erased> {
  const [[row]] = await read(ctx, trashedRowById(ctx, id))
  if (!row || (row.kind === 'transfer') !== (kind === 'transfer')) {
    throw trashErrors.notFound()
  }
  requireVersion(ctx, row.version)
  return commit(ctx, {
    changes: [eraseFromTrash(row, changedMeanwhile)],
    result: { isDone: true },
  })
}

/** However much is booked on it: it is marked now, and a task erases the rest in steps. */
async function eraseAccount(ctx: SignedIn, id: string): Promise<Erased> {
  const [[account]] = await read(ctx, trashedAccountById(ctx, id))
  if (!account) {
    throw trashErrors.notFound()
  }
  requireVersion(ctx, account.version)
  const { ownerId } = account
  return commit(ctx, {
    changes: [
      {
        statements: markAccount(ctx, account, changedMeanwhile),
        events: [accountEvents.erasureBegun({ id, ownerId, accountId: id }, { before: account })],
      },
    ],
    tasks: [{ kind: ERASE_TRASH, payload: { ownerId, before: 0 } }],
    result: { isDone: false },
  })
}

/** Empties the trash: what is little at once, accounts and the rest by a task. */
export async function emptyTrash(ctx: SignedIn): Promise<Erased> {
  const scope = { ownerId: ctx.caller.userId, before: ctx.now }
  const [due, rows, [accounts]] = await read(
    ctx,
    dueTransactions(scope),
    dueRows(scope),
    accountsToMark(ctx),
  )
  if (ctx.caller.token?.accountIds) {
    throw trashErrors.tokenIsRestricted()
  }
  const isDone = Math.max(due.length, rows.length) < ERASED_AT_ONCE && accounts?.count === 0
  return commit(ctx, {
    changes: [
      {
        statements: [
          markDueAccounts(ctx, scope),
          eraseDueTransactions(scope, idsOf(due)),
          eraseDueRows(scope, idsOf(rows)),
        ],
        events: [
          trashEvents.emptied(
            { id: null },
            { transactions: due.length, rows: rows.length, accounts: accounts?.count ?? 0 },
          ),
        ],
      },
    ],
    tasks: isDone ? [] : [{ kind: ERASE_TRASH, payload: scope }],
    result: { isDone },
  })
}

const idsOf = (found: { id: string }[]) => found.map(({ id }) => id)

/** The task behind `erase` and `emptyTrash`. */
export const eraseTrash = (ctx: Context, scope: Scope, finish: Statement[]): Promise<void> =>
  eraseInSteps(ctx, scope, { kind: ERASE_TRASH, finish })

/** Erases, every night, what was deleted too long ago, and what a task left behind. */
export async function purgeTrash(
  ctx: Context,
  { after }: Pick<Scope, 'after'>,
  finish: Statement[],
): Promise<void> {
  const scope = { before: ctx.now - KEPT_MS, after }
  await commit(ctx, {
    changes: [
      {
        statements: [markDueAccounts(ctx, scope)],
        events: [trashEvents.purgeBegun({ id: null, facts: countOfMarked(ctx, scope) })],
      },
    ],
    result: undefined,
  })
  await eraseInSteps(ctx, scope, { kind: PURGE_TRASH, finish })
}

/**
 * May be killed anywhere: the next run goes on with what is left. An account that cannot be erased holds up
 * nothing but itself, and the task, which fails when all others are gone.
 */
async function eraseInSteps(
  ctx: Context,
  scope: Scope,
  { kind, finish }: { kind: string; finish: Statement[] },
): Promise<void> {
  let { after } = scope
  let refusal: AppError | undefined
  let step = await nextStep(ctx, scope)
  for (let commits = 0; step && commits < MOST_COMMITS; commits++) {
    const { accountId } = step
    try {
      await commit(ctx, { changes: step.changes, result: undefined })
    } catch (error) {
      if (accountId === undefined || !isRefusal(error)) {
        throw error
      }
      // Another run was faster, or somebody changed the other end of a transfer: what is left now is read anew.
      if (error.code !== trashErrors.changedMeanwhile().code) {
        refusal = error
        after = accountId
      }
    }
    step = await nextStep(ctx, { ...scope, after })
  }
  if (refusal && !step) {
    throw refusal
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

/** Whether the rows themselves do not allow it, and not another run of the task or the store. */
const isRefusal = (error: unknown): error is AppError =>
  error instanceof AppError && error.code !== taskTaken().code && error.kind !== 'unavailable'

const trashOf = ({ ownerId }: Scope) => ({
  id: null,
  ...(ownerId === undefined ? {} : { ownerId }),
})

interface Step {
  accountId?: string
  changes: Change[]
}

/** What the next commit erases; undefined when nothing is left. */
async function nextStep(ctx: Context, scope: Scope): Promise<Step | undefined> {
  const [due, rows, [account], booked, putAway] = await readOrStop(
    ctx,
    dueTransactions(scope),
    dueRows(scope),
    markedAccount(scope),
    bookedOnMarked(scope),
    putAwayOnMarked(scope),
  )
  if (due.length + rows.length > 0) {
    const counts = { transactions: due.length, rows: rows.length }
    return {
      changes: [
        {
          statements: [eraseDueTransactions(scope, idsOf(due)), eraseDueRows(scope, idsOf(rows))],
          events: [trashEvents.erased(trashOf(scope), counts)],
        },
      ],
    }
  }
  if (!account) {
    return undefined
  }
  const accountId = account.id
  const left = booked.length > 0 ? booked : putAway
  const statements = left.length > 0 ? [] : eraseAccounts([accountId])
  return {
    accountId,
    changes: [
      ...(left.length > 0
        ? eraseWithAccount(
            accountId,
            { rows: left, areBooked: left === booked },
            trashErrors.changedMeanwhile,
          )
        : []),
      {
        statements,
        events: [
          trashEvents.erased(trashOf(scope), {
            accountId,
            ...(left.length > 0 ? { transactions: left.length } : {}),
          }),
        ],
      },
    ],
  }
}
