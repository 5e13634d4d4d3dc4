import { sql } from 'drizzle-orm'
import type { Context } from '../../../platform/context.ts'
import { mustHaveChangedOne } from '../../../platform/guards.ts'
import { db, type Statement } from '../../../platform/statements.ts'

/** Takes an account out of the trash as it was read, unless its erasure was asked for: breaks `stale`. */
export const restoreAccount = (
  { now }: Context,
  { id, version }: { id: string; version: number },
): Statement[] => [
  db.run(sql`UPDATE accounts SET deleted_at = NULL, version = version + 1, updated_at = ${now}
    WHERE id = ${id} AND version = ${version} AND deleted_at IS NOT NULL AND erased_at IS NULL`),
  mustHaveChangedOne('stale'),
]
