import { sql } from 'drizzle-orm'
import type { SignedIn } from '../../../platform/context.ts'
import { db, type Statement } from '../../../platform/statements.ts'

/** Gives the aliases of some payees to another one. */
export const moveAliases = (fromIds: string[], to: string): Statement =>
  db.run(sql`UPDATE payee_aliases SET payee_id = ${to}
    WHERE payee_id IN (SELECT value FROM json_each(${JSON.stringify(fromIds)}))`)

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
