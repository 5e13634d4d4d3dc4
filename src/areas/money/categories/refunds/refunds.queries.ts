import { sql } from 'drizzle-orm'
import type { SignedIn } from '../../../../platform/context.ts'
import { Memory } from '../../../../platform/memory.ts'
import { db, nothing, type Statement } from '../../../../platform/statements.ts'
import { annotatedOwnerIds, viewerOf } from '../../../identity/access/access.public.ts'
import type { CategoryRow } from '../categories.queries.ts'

export type KindRow = Pick<CategoryRow, 'id' | 'kind'>

/** The kinds of the categories with these ids or keys of names that the caller may put on transactions. */
export function kindsOf(ctx: SignedIn, ids: string[], keys: string[]): Statement<KindRow[]> {
  if (ids.length + keys.length === 0) {
    return nothing()
  }
  const owners = annotatedOwnerIds(viewerOf(ctx))
  const listed = (values: string[]) => sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`
  return db.all(
    sql`SELECT c.id, c.kind FROM categories c WHERE c.id IN ${listed(ids)} AND +c.owner_id IN (${owners})
      UNION ALL SELECT c.id, c.kind FROM (${owners}) owner CROSS JOIN categories c ON c.owner_id = owner.id
        WHERE c.name_key IN ${listed(keys)}`,
  )
}

/** The kinds of categories, by who booked with them. The commit asserts the kind that was remembered. */
const kinds = new Memory<CategoryRow['kind']>(10_000)

const keyOf = ({ caller }: SignedIn, id: string) => `${caller.tokenHash ?? caller.userId} ${id}`

export const rememberedKinds = (ctx: SignedIn, ids: string[]): KindRow[] =>
  ids.flatMap((id) => {
    const kind = kinds.get(keyOf(ctx, id))
    return kind === undefined ? [] : [{ id, kind }]
  })

/** To be called once the commit of a booking has shown that the categories are of these kinds. */
export function rememberKinds(ctx: SignedIn, rows: KindRow[]): void {
  for (const { id, kind } of rows) {
    kinds.set(keyOf(ctx, id), kind)
  }
}
