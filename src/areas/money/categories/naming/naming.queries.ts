import { sql } from 'drizzle-orm'
import type { SignedIn } from '../../../../platform/context.ts'
import type { Change } from '../../../../platform/events.ts'
import { db, type Statement } from '../../../../platform/statements.ts'
import { annotatedOwnerIds, viewerOf } from '../../../identity/access/access.public.ts'
import type { NamedPlace } from '../../../../ledger/ledger.public.ts'
import { categoryErrors } from '../categories.errors.ts'
import { categoriesCreated, newCategoryRow } from '../categories.queries.ts'
import type { CategoryKind } from '../categories.rules.ts'

export interface NamedCategoryRow {
  id: string
  ownerId: string
  kind: CategoryKind
  key: string
  archived: boolean
}

/** The categories with these names, at any place, that the caller may put on transactions: each on its owner's. */
export const categoriesNamed = (ctx: SignedIn, keys: string[]): Statement<NamedCategoryRow[]> =>
  db.all(
    sql`SELECT c.id, c.owner_id AS ownerId, c.kind, c.name_key AS key, c.archived
      FROM (${annotatedOwnerIds(viewerOf(ctx))}) owner CROSS JOIN categories c ON c.owner_id = owner.id
      WHERE c.name_key IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`,
  )

/** A new category of the caller, at the top, that has a name and nothing else. */
export function categoryNamed(
  ctx: SignedIn,
  kind: CategoryKind,
  { name, field }: NamedPlace,
): { id: string; change: Change } {
  const category = newCategoryRow(ctx, { name, kind })
  return {
    id: category.id,
    change: categoriesCreated(ctx, [category], () => categoryErrors.tooMany({ field })),
  }
}
