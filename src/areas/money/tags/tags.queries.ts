import { eq, type SQL, sql } from 'drizzle-orm'
import { tags } from '../../../../drizzle/schema/tags.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { ownedTable } from '../../../platform/database/owned-tables.ts'
import { db, nothing, prepared, type Statement } from '../../../platform/database/statements.ts'
import {
  annotatedOwnerIds,
  type Viewer,
  viewerParams,
  viewerOf,
  ownedBy,
} from '../../identity/access/access.public.ts'
import { type Bookable, transactionsWith } from '../../../ledger/labels/labels.public.ts'

export interface TagFilter {
  archived?: boolean | undefined
}

export const tagsMatching = ({ archived }: TagFilter): SQL | undefined =>
  archived === undefined ? undefined : eq(tags.archived, archived)

export const tagRows = ownedTable(tags, {
  isSeen: ({ caller }) => ownedBy(caller, tags.ownerId),
  computed: (ctx) => ({
    transactionCount: transactionsWith(ctx, 'tag', sql`${tags.id}`)
      .mapWith(Number)
      .as('transaction_count'),
  }),
})

export type StoredTag = typeof tags.$inferSelect

export type TagRow = StoredTag & { transactionCount: number }

/** The tags among these ids, however many, that the caller may put on transactions: each on its owner's. */
export const tagsByIds = (ctx: SignedIn, ids: string[]): Statement<Bookable[]> =>
  ids.length === 0 ? nothing() : bookableTags({ ...viewerOf(ctx), ids: JSON.stringify(ids) })

const bookableTags = prepared<Viewer & { ids: string }, Bookable[]>(() =>
  db
    .select({ id: tags.id, ownerId: tags.ownerId, archived: tags.archived })
    .from(tags)
    .where(
      sql`${tags.id} IN (SELECT value FROM json_each(${sql.placeholder('ids')}))
        AND +${tags.ownerId} IN (${annotatedOwnerIds(viewerParams)})`,
    ),
)

export type NamedTag = Pick<StoredTag, 'id' | 'ownerId' | 'nameKey'>

/** The tags that the caller may put on transactions, each on its owner's, without archived ones. */
export const namedTags = (ctx: SignedIn): Statement<NamedTag[]> =>
  db
    .select({ id: tags.id, ownerId: tags.ownerId, nameKey: tags.nameKey })
    .from(tags)
    .where(sql`${tags.ownerId} IN (${annotatedOwnerIds(viewerOf(ctx))}) AND ${tags.archived} = 0`)

/** Stores a tag as it was when it was deleted. */
export const restoreTag = (ctx: SignedIn, tag: StoredTag): Statement =>
  tagRows.insert({
    ...tag,
    ownerId: ctx.caller.userId,
    version: tag.version + 1,
    updatedAt: ctx.now,
  })
