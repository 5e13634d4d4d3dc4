import { sql } from 'drizzle-orm'
import { db, type Statement } from '../../../platform/database/statements.ts'
import { isAddressedTo } from '../../identity/addresses/addresses.public.ts'
import { isThere } from './sharing.queries.ts'
import type { SharedKind, Notice } from './sharing.rules.ts'

/** Somebody who gets a notice. */
export interface Addressee {
  /** The place of the notice in the list. */
  place: number
  userId: string
  email: string
  /** The kind of the shared thing. */
  kind: SharedKind
}

const KIND =
  sql.raw(`CASE WHEN s.account_id IS NOT NULL THEN 'account' WHEN s.budget_id IS NOT NULL THEN 'budget'
  ELSE 'attachment' END`)

/**
 * To whom the notices go: to active users with confirmed addresses, and only where what a notice says still holds and is
 * theirs to see.
 */
export const addresseesOf = (notices: Notice[], now: number): Statement<Addressee[]> =>
  db.all<Addressee>(sql`WITH notices AS (SELECT key AS place, value ->> 'template' AS template,
      value ->> 'shareId' AS share_id, value ->> 'actorId' AS actor_id, value ->> 'userId' AS user_id, value ->> 'kind' AS kind
    FROM json_each(${JSON.stringify(notices)})),
  open AS (SELECT shares.* FROM shares WHERE shares.id IN (SELECT share_id FROM notices) AND ${isThere}
      AND (shares.expires_at IS NULL OR shares.expires_at > ${now}))
  SELECT n.place, u.id AS userId, u.email, n.kind FROM (
      SELECT n.place, s.grantee_user_id AS user_id, n.actor_id, ${KIND} AS kind FROM notices n JOIN open s ON s.id = n.share_id
        WHERE n.template = 'shareReceived' AND s.grantee_user_id IS NOT NULL
      UNION ALL
      SELECT n.place, u.id, n.actor_id, ${KIND} FROM notices n JOIN open s ON s.id = n.share_id JOIN users u ON ${isAddressedTo('s')}
        WHERE n.template = 'shareReceived' AND u.id <> s.owner_id
      UNION ALL
      SELECT n.place, n.user_id, n.actor_id, ${KIND} FROM notices n JOIN open s ON s.id = n.share_id AND s.owner_id = n.user_id
        WHERE n.template = 'shareAccepted'
      UNION ALL
      SELECT n.place, n.user_id, n.actor_id, n.kind FROM notices n WHERE n.template IN ('shareEnded', 'shareReturned')
        AND NOT EXISTS (SELECT 1 FROM shares s WHERE s.id = n.share_id)
    ) n JOIN users u ON u.id = n.user_id
  WHERE u.id IS NOT n.actor_id AND u.status = 'active' AND u.email_verified_at IS NOT NULL ORDER BY n.place`)
