import { sql } from 'drizzle-orm'
import { db, type Statement } from '../../../../platform/statements.ts'

/** Finds the accounts of an import without any booking, not even an opening balance. */
export const emptyAccounts = (importId: string): Statement<{ id: string }[]> =>
  db.all(sql`SELECT DISTINCT f.value->>'accountId' AS id
    FROM imports i CROSS JOIN json_each(i.accounts) f
    WHERE i.id = ${importId} AND f.value->>'accountId' IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM entries e WHERE e.account_id = f.value->>'accountId')`)
