import { trashErrors } from '../../../domain/owned-data.ts'
import type { Context, SignedIn } from '../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../platform/database/database.ts'
import {
  changedInTrash,
  type LargeStep,
  type LargeThings,
  type TrashedKind,
  type TrashScope,
} from '../../../platform/owned-data/owned-data.ts'
import type { Statement } from '../../../platform/database/statements.ts'
import { readOrStop } from '../../../platform/work/tasks.ts'
import {
  eraseWithAccount,
  post,
  remaindersOf,
  eraseKept,
  takenTransactionIds,
} from '../../../ledger/ledger.public.ts'
import { accountEvents, inHistory, loggedAccount } from './accounts.events.ts'
import {
  accountsToMark,
  bookedOnMarked,
  countOfMarked,
  eraseAccounts,
  eraseSomeOf,
  markAccount,
  markAccounts,
  isDueAccount,
  keptOfMarked,
  markedAccount,
  muchWithMarked,
  putAwayOnMarked,
  restoreAccount,
  trashedAccountById,
} from './trash.queries.ts'

export const trashedAccount: TrashedKind = {
  // All that is booked on it stayed as it was; what was deleted by itself stays in the trash.
  restore: async (ctx, id) => {
    const account = await findTrashed(ctx, id)
    return commit(ctx, {
      changes: [
        {
          statements: restoreAccount(ctx, account, changedInTrash),
          events: [
            accountEvents.restored(
              { id, version: account.version + 1, ...inHistory(ctx, id) },
              { before: account, after: { ...account, deletedAt: null } },
            ),
          ],
        },
      ],
      result: undefined,
      conflicts: { 'accounts.name_key': () => trashErrors.nameTaken() },
    })
  },
  // However much is booked on it: it is marked now, and a task erases the rest in steps.
  erase: async (ctx, id, later) => {
    const account = await findTrashed(ctx, id)
    requireVersion(ctx, account.version)
    const { ownerId } = account
    return commit(ctx, {
      changes: [
        {
          statements: markAccount(ctx, account, changedInTrash),
          events: [
            accountEvents.erasureBegun(
              { id, ownerId, accountId: id },
              { before: loggedAccount(account) },
            ),
          ],
        },
      ],
      tasks: [later],
      result: { isDone: false },
    })
  },
}

async function findTrashed(ctx: SignedIn, id: string) {
  const [[account]] = await read(ctx, trashedAccountById(ctx, id))
  if (!account) {
    throw trashErrors.notFound()
  }
  return account
}

export const largeAccounts: LargeThings = {
  toMark: accountsToMark,
  mark: (ctx, scope) => markAccounts(ctx, isDueAccount(scope)),
  marked: countOfMarked,
  nextStep,
}

/**
 * Some of what is kept of a marked account, then of what is booked on it, of what is put away, and of what areas have of it, then the
 * account itself.
 */
async function nextStep(ctx: Context, scope: TrashScope): Promise<LargeStep | undefined> {
  const [[account], kept, booked, putAway, much] = await readOrStop(
    ctx,
    markedAccount(scope),
    keptOfMarked(scope),
    bookedOnMarked(scope),
    putAwayOnMarked(scope),
    muchWithMarked(scope),
  )
  if (!account) {
    return undefined
  }
  const { id, ownerId } = account
  const stepOf = (statements: Statement[]): LargeStep => ({
    ...{ accountId: id, transactions: 0, changes: () => [{ statements, events: [] }] },
  })
  if (kept.length > 0) {
    return stepOf(eraseKept([id], ownerId))
  }
  const areBooked = booked.length > 0
  const rows = areBooked ? booked : putAway
  if (rows.length === 0) {
    return stepOf(much.length > 0 ? eraseSomeOf(account) : eraseAccounts([id], ownerId))
  }
  const remainders = areBooked ? remaindersOf(id, rows) : []
  const [found] =
    remainders.length === 0 ? [[]] : await readOrStop(ctx, takenTransactionIds(remainders))
  const taken = found.map((one) => one.id)
  const errors = { gone: trashErrors.notFound, closed: trashErrors.accountClosed }
  return {
    accountId: id,
    transactions: rows.length,
    changes: () => [
      post(
        ctx,
        errors,
        eraseWithAccount(ctx, id, { rows, areBooked, taken }, trashErrors.changedMeanwhile),
      ),
    ],
  }
}
