import { and, eq, isNotNull, lte, sql } from 'drizzle-orm'
import { tasks, users } from '../../../../../drizzle/schema/system.ts'
import type { Context } from '../../../../platform/context.ts'
import { refuseIf } from '../../../../platform/database/premises.ts'
import { db, type Statement } from '../../../../platform/database/statements.ts'
import { ownUserErrors } from '../own-user.errors.ts'
import { deleteWipeOf } from '../wipe/wipe.queries.ts'

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

/** Removes the traces of a user from tasks: tasks that they requested, and a scheduled wipe. */
export const forgetTasksOf = (userId: string): Statement[] => [
  deleteWipeOf(userId),
  db.update(tasks).set({ createdBy: null, summary: '' }).where(eq(tasks.createdBy, userId)),
]
