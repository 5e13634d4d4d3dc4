import { sql } from 'drizzle-orm'
import { refuseIf } from '../../../../platform/premises.ts'
import { conflicting } from '../../../../platform/refusals.ts'
import { db, type Statement } from '../../../../platform/statements.ts'
import { openingIdOf } from '../accounts.rules.ts'

/** What a bank states of the account goes with it, and comes back with it. */
const used = (id: string) => sql`(
  EXISTS (SELECT 1 FROM entries e WHERE e.account_id = ${id} AND e.transaction_id <> ${openingIdOf(id)})
  OR EXISTS (SELECT 1 FROM unbooked_entries u WHERE u.account_id = ${id})
  OR EXISTS (SELECT 1 FROM valuations v WHERE v.account_id = ${id})
  OR EXISTS (SELECT 1 FROM balance_assertions b WHERE b.account_id = ${id} AND b.source <> 'import'))`

/** A row when an account has more than its opening balance, also in the trash. */
export const isInUse = (id: string) =>
  db.all<{ found: number }>(sql`SELECT 1 AS found WHERE ${used(id)}`)

export const mustBeUnused = (id: string): Statement => refuseIf(used(id), conflicting)
