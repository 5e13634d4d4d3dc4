import { sql } from 'drizzle-orm'
import { inviteCodes, inviteRedemptions } from '../../../../drizzle/schema/auth.ts'
import { forgetBy, type OwnedData } from '../../../platform/owned-data/owned-data.ts'
import { db } from '../../../platform/database/statements.ts'

export const inviteData: OwnedData = {
  area: 'invites',
  tables: [inviteCodes, inviteRedemptions],
  // By one of those that stay somebody else has joined: it is dead, and points to a row without a person in it.
  forget: (ctx, userId) => [
    ...forgetBy(inviteRedemptions.userId)(ctx, userId),
    db.run(sql`DELETE FROM invite_codes WHERE issued_by = ${userId} AND NOT EXISTS
      (SELECT 1 FROM invite_redemptions r WHERE r.invite_id = invite_codes.id)`),
    db.run(sql`UPDATE invite_codes SET note = '', revoked_at = ifnull(revoked_at, ${ctx.now}),
      version = version + 1, updated_at = ${ctx.now} WHERE issued_by = ${userId}`),
  ],
}
