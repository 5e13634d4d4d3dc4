import { eq, type SQL, sql } from 'drizzle-orm'
import { savedViews } from '../../../../drizzle/schema/saved-views.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { mustHaveFewerRows, ownedTable } from '../../../platform/database/owned-tables.ts'
import { db, type Statement } from '../../../platform/database/statements.ts'
import { ownedBy, visibleAccountIds, visibleOwnerIds } from '../../identity/access/access.public.ts'
import { savedViewErrors } from './saved-views.errors.ts'
import { MOST_VIEWS, type ViewOf } from './saved-views.rules.ts'

export type StoredSavedView = typeof savedViews.$inferSelect

export interface SavedViewRow extends StoredSavedView {
  /** JSON of the ids in the parameters that lead to nothing the caller sees. */
  missing: string
}

/** The tables that parameters name rows of, beside accounts, by the prefixes of their ids. */
const TABLES = { cat: 'categories', pay: 'payees', tag: 'tags', imp: 'imports' }

/** The ids in parameters that lead to nothing the caller sees, as JSON. @param parameters SQL of JSON */
const missingIn = (ctx: SignedIn, parameters: SQL): SQL<string> => sql`(
  SELECT json_group_array(DISTINCT named.value) FROM json_tree(${parameters}) named
  WHERE named.type = 'text' AND length(named.value) = 30 AND CASE substr(named.value, 1, 4)
    WHEN 'acc_' THEN named.value NOT IN (${visibleAccountIds(ctx)})
    ${sql.join(
      Object.entries(TABLES).map(
        ([prefix, table]) => sql`WHEN ${sql.raw(`'${prefix}_'`)} THEN NOT EXISTS (
          SELECT 1 FROM ${sql.raw(table)} own WHERE own.id = named.value
            AND own.owner_id IN (${visibleOwnerIds(ctx)}))`,
      ),
      sql` `,
    )} END)`

export const viewRows = ownedTable(savedViews, {
  isSeen: ({ caller }) => ownedBy(caller, savedViews.ownerId),
  computed: (ctx) => ({ missing: missingIn(ctx, sql`${savedViews.parameters}`).as('missing') }),
  hasLongRows: true,
  order: [savedViews.position, savedViews.nameKey],
})

export const isViewOf = (of: ViewOf | undefined): SQL | undefined =>
  of === undefined ? undefined : eq(savedViews.of, of)

/** The ids in parameters that are not stored yet. */
export const missingIds = (ctx: SignedIn, parameters: string): Statement<{ missing: string }[]> =>
  db.all(sql`SELECT ${missingIn(ctx, sql`${parameters}`)} AS missing`)

export const mustHaveRoomForView = ({ ownerId }: StoredSavedView): Statement =>
  mustHaveFewerRows(savedViews.ownerId, ownerId, MOST_VIEWS, () =>
    savedViewErrors.tooMany({ most: MOST_VIEWS }),
  )
