import { eq, sql } from 'drizzle-orm'
import { users } from '../../../../drizzle/schema/system.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { db } from '../../../platform/statements.ts'
import { settingOf } from '../../identity/settings/settings.public.ts'

/** Reads the data of the caller that the session check does not read, and for how long a deletion can be undone. */
export const ownState = (ctx: SignedIn) =>
  db
    .select({
      deletionDueAt: users.deletionDueAt,
      graceDays: sql<number>`${settingOf(ctx, 'deletionGraceDays')}`.as('grace_days'),
    })
    .from(users)
    .where(eq(users.id, ctx.caller.userId))

export type OwnState = Awaited<ReturnType<typeof ownState>>[number]
