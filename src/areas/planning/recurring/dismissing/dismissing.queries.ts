import { sql } from 'drizzle-orm'
import { recurringDismissals } from '../../../../../drizzle/schema/recurring.ts'
import { freshId, type SignedIn } from '../../../../platform/context.ts'
import { refuseIf } from '../../../../platform/database/premises.ts'
import { db, type Statement } from '../../../../platform/database/statements.ts'
import { ownedBy } from '../../../identity/access/access.public.ts'
import { recurringErrors } from '../recurring.errors.ts'

/** The most dismissals of one person. */
export const MOST_DISMISSALS = 10_000

/** The keys of all that the caller dismissed. */
export const dismissedKeys = (ctx: SignedIn): Statement<{ key: string }[]> =>
  db
    .select({ key: recurringDismissals.key })
    .from(recurringDismissals)
    .where(ownedBy(ctx.caller, recurringDismissals.ownerId))

export const insertDismissal = (ctx: SignedIn, key: string): Statement[] => [
  db
    .insert(recurringDismissals)
    .values({ id: freshId(ctx, 'rdm'), ownerId: ctx.caller.userId, key, createdAt: ctx.now })
    .onConflictDoNothing(),
  refuseIf(
    sql`(SELECT count(*) FROM recurring_dismissals WHERE ${ownedBy(ctx.caller, recurringDismissals.ownerId)}) > ${MOST_DISMISSALS}`,
    () => recurringErrors.tooManyDismissals({ most: MOST_DISMISSALS }),
  ),
]

/** Dismisses matches for an owner, as far as there is room: what somebody takes off is not linked again by itself. */
export const dismissMatches = (
  ctx: SignedIn,
  { ownerId }: { ownerId: string },
  keys: string[],
): Statement =>
  db.run(sql`INSERT INTO recurring_dismissals (id, owner_id, key, created_at)
    SELECT value ->> 0, ${ownerId}, value ->> 1, ${ctx.now}
    FROM json_each(${JSON.stringify(keys.map((key) => [freshId(ctx, 'rdm'), key]))})
    WHERE (SELECT count(*) FROM recurring_dismissals WHERE owner_id = ${ownerId}) < ${MOST_DISMISSALS} ON CONFLICT DO NOTHING`)
