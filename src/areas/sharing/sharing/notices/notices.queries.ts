import { sql } from 'drizzle-orm'
import { db, type Statement } from '../../../../platform/statements.ts'
import { isAddressedTo } from '../../../identity/addresses/addresses.public.ts'
import type { Notice } from './notices.rules.ts'

/** Somebody who gets a notice. */
export interface Addressee {
  /** The place of the notice in the list. */
  place: number
  userId: string
  email: string
}

/**
 * To whom the notices go: to active users with confirmed addresses, and only where what a notice says still holds and is
 * theirs to see.
 */
export const addresseesOf = (notices: Notice[], now: number): Statement<Addressee[]> =>
  db.all<Addressee>(sql`WITH notices AS (SELECT key AS place, value ->> 'template' AS template,
      value ->> 'shareId' AS share_id, value ->> 'actorId' AS actor_id, value ->> 'userId' AS user_id
    FROM json_each(${JSON.stringify(notices)})),
  open AS (SELECT s.* FROM shares s JOIN accounts a ON a.id = s.account_id
    WHERE s.id IN (SELECT share_id FROM notices) AND a.deleted_at IS NULL
      AND (s.expires_at IS NULL OR s.expires_at > ${now}))
  SELECT n.place, u.id AS userId, u.email FROM (
      SELECT n.place, s.grantee_user_id AS user_id, n.actor_id FROM notices n JOIN open s ON s.id = n.share_id
        WHERE n.template = 'shareReceived' AND s.grantee_user_id IS NOT NULL
      UNION ALL
      SELECT n.place, u.id, n.actor_id FROM notices n JOIN open s ON s.id = n.share_id JOIN users u ON ${isAddressedTo('s')}
        WHERE n.template = 'shareReceived' AND u.id <> s.owner_id
      UNION ALL
      SELECT n.place, n.user_id, n.actor_id FROM notices n JOIN open s ON s.id = n.share_id AND s.owner_id = n.user_id
        WHERE n.template = 'shareAccepted'
      UNION ALL
      SELECT n.place, n.user_id, n.actor_id FROM notices n WHERE n.template IN ('shareEnded', 'shareReturned')
        AND NOT EXISTS (SELECT 1 FROM shares s WHERE s.id = n.share_id)
    ) n JOIN users u ON u.id = n.user_id
  WHERE u.id IS NOT n.actor_id AND u.status = 'active' AND u.email_verified_at IS NOT NULL ORDER BY n.place`)
