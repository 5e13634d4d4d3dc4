import { sql } from 'drizzle-orm'
import type { SignedIn } from '../../../../platform/context.ts'
import { db, type Statement } from '../../../../platform/statements.ts'
import { isNotPrivateTo, ownedBy, withSeen } from '../../../identity/access/access.public.ts'

/** By what the caller knows the transactions that a revert kept: their payee, else their description. */
export const namesOfKept = (
  ctx: SignedIn,
  importId: string,
): Statement<{ id: string; name: string | null }[]> =>
  db.all(sql`WITH ${withSeen(ctx)}
    SELECT t.id, coalesce((SELECT y.name FROM transaction_payees q JOIN payees y ON y.id = q.payee_id
        WHERE q.transaction_id = t.id AND q.line = 0 AND ${ownedBy(ctx.caller, 'y.owner_id')}), t.payee_raw, nullif(t.description, '')) AS name
    FROM imports i CROSS JOIN json_each(i.reverted, '$.kept') k
      CROSS JOIN transactions t ON t.id = k.value->>'id'
    WHERE i.id = ${importId} AND ${isNotPrivateTo(ctx)} AND EXISTS (SELECT 1 FROM entries e
      WHERE e.transaction_id = t.id AND e.account_id IN (SELECT s.id FROM seen s))`)
