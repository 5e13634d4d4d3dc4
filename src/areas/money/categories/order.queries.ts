import { sql } from 'drizzle-orm'
import type { SignedIn } from '../../../platform/context.ts'
import { refuseIf } from '../../../platform/database/premises.ts'
import { changedMeanwhile } from '../../../platform/database/refusals.ts'
import { db, type Statement } from '../../../platform/database/statements.ts'
import { ownedBy } from '../../identity/access/access.public.ts'

interface Place {
  id: string
  parentId: string | null
  order: number
  /** The version that was read. */
  version: number
}

/** Moves all of these at once; refuses when one is no longer what was read. */
export function placeCategories({ caller, now }: SignedIn, places: Place[]): Statement[] {
  const wanted = sql`json_each(${JSON.stringify(places)}) w`
  return [
    refuseIf(
      sql`EXISTS (SELECT 1 FROM ${wanted} LEFT JOIN categories c ON c.id = w.value->>'id'
        AND ${ownedBy(caller, 'c.owner_id')} WHERE c.version IS NOT w.value->>'version')`,
      changedMeanwhile,
    ),
    // Names are set apart for a moment: two of one name may change places.
    db.run(sql`UPDATE categories SET parent_id = w.value->>'parentId', sort_order = w.value->>'order',
      version = version + 1, updated_at = ${now}, name_key = categories.id || ' ' || name_key
      FROM ${wanted} WHERE categories.id = w.value->>'id' AND ${ownedBy(caller, 'owner_id')}`),
    db.run(sql`UPDATE categories SET name_key = substr(name_key, length(categories.id) + 2)
      FROM ${wanted} WHERE categories.id = w.value->>'id' AND ${ownedBy(caller, 'owner_id')}`),
  ]
}
