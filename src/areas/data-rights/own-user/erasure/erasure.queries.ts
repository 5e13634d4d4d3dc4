import { and, between, eq, isNotNull, lte, sql, type SQL } from 'drizzle-orm'
import { tasks, users } from '../../../../../drizzle/schema/system.ts'
import type { Context } from '../../../../platform/context.ts'
import { refuseIf, requireChangedOne } from '../../../../platform/database/premises.ts'
import { db, type Statement } from '../../../../platform/database/statements.ts'
import { isNotRestored, ownedData } from '../../../../platform/owned-data/owned-data.ts'
import type { Refusal } from '../../../../platform/database/refusals.ts'
import { ownUserErrors } from '../own-user.errors.ts'

/** Refuses unless the time of the user has come, whoever asked for it, and nobody undid that. */
export const mustBeDue = ({ now }: Context, userId: string): Statement =>
  refuseIf(
    sql`NOT EXISTS (SELECT 1 FROM users u WHERE u.id = ${userId} AND u.deletion_due_at <= ${now})`,
    ownUserErrors.notDue,
  )

/** A page of those whose time has come, by id. */
export const usersToErase = ({ now }: Context, after: string) =>
  db
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        isNotNull(users.deletionDueAt),
        lte(users.deletionDueAt, now),
        sql`${users.id} > ${after}`,
      ),
    )
    .orderBy(users.id)
    .limit(USERS_AT_ONCE)

export const USERS_AT_ONCE = 100

/** Finds the addresses to which mail of a user goes: their own, and one that is not confirmed yet. */
export const addressesOf = (userId: string) =>
  db.all<{
    email: string
    isOwn: 0 | 1
  }>(sql`SELECT email, 1 AS isOwn FROM users WHERE id = ${userId}
    UNION SELECT email, 0 FROM one_time_tokens WHERE user_id = ${userId} AND email IS NOT NULL`)

/** Removes the traces of a user from tasks: tasks that they requested, a scheduled wipe, and the work for them. */
export const forgetTasksOf = (userId: string): Statement[] => [
  deleteWipeOf(userId),
  ...ownedData()
    .flatMap((data) => data.tasks ?? [])
    .map((kind) =>
      db.delete(tasks).where(between(tasks.dedupeKey, `${kind} ${userId} `, `${kind} ${userId} ~`)),
    ),
  db.update(tasks).set({ createdBy: null, summary: '' }).where(eq(tasks.createdBy, userId)),
]

/** The key of the task: while a row has it, something of the user is about to be erased. */
export const wipeKeyOf = (userId: string): string => `user.wipe ${userId}`

const isOf = (userId: string) => eq(tasks.dedupeKey, wipeKeyOf(userId))

export const wipeOf = (userId: string) =>
  db.select({ payload: tasks.payload, state: tasks.state }).from(tasks).where(isOf(userId))

/** Refuses when a wipe is scheduled, runs, or has failed and may be tried again. */
export const mustHaveNoWipe = (userId: string, scheduled: Refusal): Statement =>
  refuseIf(sql`EXISTS (SELECT 1 FROM tasks t WHERE t.dedupe_key = ${wipeKeyOf(userId)})`, scheduled)

/** Refuses while something is restored: it keeps the dates of the archive, so that a wipe would take it for older. */
export const mustNotBeRestored = (userId: string): Statement =>
  refuseIf(sql`NOT ${isNotRestored(sql`${userId}`)}`, ownUserErrors.restoreUnderWay)

/** Refuses when it is under way, was undone meanwhile, or is over. */
export const undoWipeOf = (userId: string): Statement[] => [
  refuseIf(isUnderWay(userId), ownUserErrors.wipeRunning),
  db.delete(tasks).where(isOf(userId)),
  requireChangedOne(ownUserErrors.wipeNotScheduled),
]

const isUnderWay = (userId: string): SQL => sql`EXISTS (SELECT 1 FROM tasks t
  WHERE t.dedupe_key = ${wipeKeyOf(userId)} AND t.state = 'running')`

/** Refuses unless the task is still there and under way. */
export const mustBeWanted = (userId: string): Statement =>
  refuseIf(sql`NOT ${isUnderWay(userId)}`, ownUserErrors.wipeUndone)

/** So that the next one can be asked for. */
export const releaseWipeOf = (userId: string): Statement =>
  db.update(tasks).set({ dedupeKey: null }).where(isOf(userId))

const deleteWipeOf = (userId: string): Statement => db.delete(tasks).where(isOf(userId))
