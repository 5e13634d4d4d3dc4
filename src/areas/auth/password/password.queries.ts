import { eq, sql } from 'drizzle-orm'
import { users } from '../../../../drizzle/schema/system.ts'
import type { Context } from '../../../platform/context.ts'
import { mustHaveChangedOne } from '../../../platform/guards.ts'
import { db, type Statement } from '../../../platform/statements.ts'

export const passwordOf = (userId: string) =>
  db
    .select({ passwordHash: users.passwordHash, passwordChangedAt: users.passwordChangedAt })
    .from(users)
    .where(eq(users.id, userId))

/** An enabled user with a password: one who signs in elsewhere has none to forget. */
export const userToRemind = (emailKey: string) =>
  db
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(
      sql`${users.emailKey} = ${emailKey} AND ${users.status} = 'active' AND ${users.passwordHash} IS NOT NULL`,
    )

export const setNewPassword = (ctx: Context, userId: string, passwordHash: string): Statement =>
  db.update(users).set({ passwordHash, passwordChangedAt: ctx.now }).where(eq(users.id, userId))

/** Breaks `gone` when the password was changed since it was read. */
export const replacePassword = (
  ctx: Context,
  userId: string,
  { passwordHash, readHash }: { passwordHash: string; readHash: string },
): Statement[] => [
  db
    .update(users)
    .set({ passwordHash, passwordChangedAt: ctx.now })
    .where(sql`${users.id} = ${userId} AND ${users.passwordHash} = ${readHash}`),
  mustHaveChangedOne('gone'),
]
