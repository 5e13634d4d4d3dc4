import { and, eq, getTableColumns, gt, sql } from 'drizzle-orm'
import { tags } from '../../../../drizzle/schema/tags.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { requireChangedOne } from '../../../platform/premises.ts'
import { changedMeanwhile } from '../../../platform/refusals.ts'
import type { PageRequest } from '../../../platform/paging.ts'
import { db, nothing, prepared, type Statement } from '../../../platform/statements.ts'
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

const isMine = (ctx: SignedIn) => ownedBy(ctx.caller, tags.ownerId)

const matches = (ctx: SignedIn, { archived }: TagFilter) =>
  and(isMine(ctx), archived === undefined ? undefined : eq(tags.archived, archived))

const columns = (ctx: SignedIn) => ({
  ...getTableColumns(tags),
  transactionCount: transactionsWith(ctx, 'tag', sql`${tags.id}`)
    .mapWith(Number)
    .as('transaction_count'),
})

export type StoredTag = typeof tags.$inferSelect

export type TagRow = StoredTag & { transactionCount: number }

/** In order of creation; one row more than the page. */
export function pageOfTags(ctx: SignedIn, filter: TagFilter, page: PageRequest) {
  const [afterId] = page.after ?? []
  return db
    .select(columns(ctx))
    .from(tags)
    .where(and(matches(ctx, filter), afterId === undefined ? undefined : gt(tags.id, afterId)))
    .orderBy(tags.id)
    .limit(page.limit + 1)
}

export const countOfTags = (ctx: SignedIn, filter: TagFilter) =>
  db
    .select({ count: sql<number>`count(*)`.as('count') })
    .from(tags)
    .where(matches(ctx, filter))

export const tagById = (ctx: SignedIn, id: string) =>
  db
    .select(columns(ctx))
    .from(tags)
    .where(and(isMine(ctx), eq(tags.id, id)))

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

export const insertTag = (tag: typeof tags.$inferInsert): Statement => db.insert(tags).values(tag)

/** Stores a tag as it was when it was deleted. */
export const restoreTag = (ctx: SignedIn, tag: typeof tags.$inferSelect): Statement =>
  insertTag({ ...tag, ownerId: ctx.caller.userId, version: tag.version + 1, updatedAt: ctx.now })

/** A tag as it was read. */
export interface SeenTag {
  id: string
  version: number
}

const isUnchanged = (ctx: SignedIn, { id, version }: SeenTag) =>
  and(isMine(ctx), eq(tags.id, id), eq(tags.version, version))

export const updateTagRow = (
  ctx: SignedIn,
  tag: SeenTag,
  changed: Partial<Pick<typeof tags.$inferInsert, 'name' | 'nameKey' | 'color' | 'archived'>>,
): Statement[] => [
  db
    .update(tags)
    .set({ ...changed, version: sql`${tags.version} + 1`, updatedAt: ctx.now })
    .where(isUnchanged(ctx, tag)),
  requireChangedOne(changedMeanwhile),
]

export const deleteTagRow = (ctx: SignedIn, tag: SeenTag): Statement[] => [
  db.delete(tags).where(isUnchanged(ctx, tag)),
  requireChangedOne(changedMeanwhile),
]
