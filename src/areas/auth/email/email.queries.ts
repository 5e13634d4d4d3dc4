import { eq, sql } from 'drizzle-orm'
import { users } from '../../../../drizzle/schema/system.ts'
import type { Context } from '../../../platform/context.ts'
import { db, type Statement } from '../../../platform/statements.ts'

export const setEmailVerified = (ctx: Context, userId: string): Statement =>
  db
    .update(users)
    .set({
      emailVerifiedAt: ctx.now,
      version: sql`${users.version} + 1`,
      updatedAt: ctx.now,
    })
    .where(eq(users.id, userId))
