import { sql } from 'drizzle-orm'
import { payees } from '../../../../../drizzle/schema/payees.ts'
import { foldKey } from '../../../../domain/text.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { among, db, type Statement } from '../../../../platform/statements.ts'
import { ownedBy } from '../../../identity/access/access.public.ts'

/** Gives the aliases of some payees to another one. */
export const moveAliases = ({ caller }: SignedIn, fromIds: string[], to: string): Statement =>
  db.run(sql`UPDATE payee_aliases SET payee_id = ${to}
    WHERE payee_id IN ${among(fromIds)} AND ${ownedBy(caller, '+owner_id')}`)

/** Makes the names of some payees aliases of another one, where nobody has that alias yet. */
export const namesToAliases = (
  { caller, now }: SignedIn,
  named: { id: string; aliasId: string }[],
  to: string,
): Statement =>
  db.run(sql`INSERT INTO payee_aliases (id, owner_id, payee_id, raw, raw_key, created_at)
    SELECT w.value->>'aliasId', ${caller.userId}, ${to}, p.name, p.name_key, ${now}
    FROM json_each(${JSON.stringify(named)}) w JOIN payees p ON p.id = w.value->>'id'
    WHERE true ON CONFLICT DO NOTHING`)

/** A payee as it was when it was deleted. */
export interface PayeeImage {
  row: typeof payees.$inferSelect
  aliases: { id: string; raw: string; createdAt: number }[]
}

/** Stores it again, without a usual category that is gone, and without aliases that another one has now. */
export const restorePayee = (ctx: SignedIn, { row, aliases }: PayeeImage): Statement[] => [
  db.insert(payees).values({
    ...row,
    ownerId: ctx.caller.userId,
    defaultCategoryId: sql`(SELECT id FROM categories
      WHERE id = ${row.defaultCategoryId} AND ${ownedBy(ctx.caller, 'owner_id')})`,
    version: row.version + 1,
    updatedAt: ctx.now,
  }),
  db.run(sql`INSERT INTO payee_aliases (id, owner_id, payee_id, raw, raw_key, created_at)
    SELECT value->>'id', ${ctx.caller.userId}, ${row.id}, value->>'raw', value->>'rawKey', value->>'createdAt'
    FROM json_each(${JSON.stringify(aliases.map((one) => ({ ...one, rawKey: foldKey(one.raw) })))})
    WHERE true ON CONFLICT DO NOTHING`),
]
