import { and, eq, getTableColumns, gt, sql } from 'drizzle-orm'
import { categories } from '../../../../drizzle/schema/categories.ts'
import { foldKey } from '../../../domain/text.ts'
import { freshId, type SignedIn } from '../../../platform/context.ts'
import type { Change } from '../../../platform/log/events.ts'
import { requireChangedOne, refuseIf } from '../../../platform/database/premises.ts'
import { conflicting, changedMeanwhile, type Refusal } from '../../../platform/database/refusals.ts'
import type { PageRequest } from '../../../platform/database/paging.ts'
import { db, nothing, prepared, type Statement } from '../../../platform/database/statements.ts'
import { type WideSum, wideSum } from '../../../platform/database/wide-sums.ts'
import {
  accountIsOwnOf,
  annotatedOwnerIds,
  type Viewer,
  viewerParams,
  viewerOf,
  ownedBy,
} from '../../identity/access/access.public.ts'
import { isBookedOn } from '../../../ledger/labels/labels.public.ts'
import type { NamedPlace } from '../../../ledger/ledger.public.ts'
import { Memory } from '../../../platform/database/memory.ts'
import { categoryErrors } from './categories.errors.ts'
import { categoryEvents } from './categories.events.ts'
import { type CategoryKind, MOST_CATEGORIES, MOST_DEPTH, type Parent } from './categories.rules.ts'

export type CategoryRow = typeof categories.$inferSelect

export interface CategoryFilter {
  kind?: CategoryKind | undefined
  archived?: boolean | undefined
  parentId?: string | undefined
}

const isMine = (ctx: SignedIn) => ownedBy(ctx.caller, categories.ownerId)

const matches = (ctx: SignedIn, { kind, archived, parentId }: CategoryFilter) =>
  and(
    isMine(ctx),
    kind === undefined ? undefined : eq(categories.kind, kind),
    archived === undefined ? undefined : eq(categories.archived, archived),
    parentId === undefined ? undefined : eq(categories.parentId, parentId),
  )

/** In order of creation; one row more than the page, which tells whether there is a next one. */
export function pageOfCategories(ctx: SignedIn, filter: CategoryFilter, page: PageRequest) {
  const [afterId] = page.after ?? []
  return db
    .select()
    .from(categories)
    .where(
      and(matches(ctx, filter), afterId === undefined ? undefined : gt(categories.id, afterId)),
    )
    .orderBy(categories.id)
    .limit(page.limit + 1)
}

export const countOfCategories = (ctx: SignedIn, filter: CategoryFilter) =>
  db
    .select({ count: sql<number>`count(*)`.as('count') })
    .from(categories)
    .where(matches(ctx, filter))

export const categoryById = (ctx: SignedIn, id: string) =>
  db
    .select()
    .from(categories)
    .where(and(isMine(ctx), eq(categories.id, id)))

/** All of the caller's categories. */
export const allCategories = (ctx: SignedIn) =>
  db.select().from(categories).where(isMine(ctx)).orderBy(categories.id)

/** A row when anything is booked on the category. */
export const isBooked = (id: string) =>
  db.all<{ found: number }>(sql`SELECT 1 AS found WHERE ${isBookedOn(id)}`)

/** Refuses when anything is booked on the category. */
export const mustBeUnbooked = (id: string): Statement => refuseIf(isBookedOn(id), conflicting)

/** The first and the last month of a period, `YYYY-MM`; open where nothing is said. */
export interface MonthRange {
  fromMonth?: string | undefined
  toMonth?: string | undefined
}

/** Sums up each category in the period by currency. It reads the months of the projection and no entries. */
export const activityIn = (ctx: SignedIn, { fromMonth = '', toMonth = '~' }: MonthRange) =>
  db.all<{ categoryId: string; currency: string; activity: WideSum; lineCount: number }>(
    sql`SELECT m.category_id AS categoryId, accounts.currency, ${wideSum(sql`0 - m.amount_minor`)} AS activity,
        sum(m.entry_count) AS lineCount
      FROM accounts JOIN flow_periods m ON m.account_id = accounts.id
        AND m.grain = 'month' AND m.period BETWEEN ${fromMonth} AND ${toMonth}
      WHERE ${accountIsOwnOf(viewerOf(ctx))} AND m.flow IN ('expense', 'income') AND m.category_id <> ''
      GROUP BY m.category_id, accounts.currency`,
  )

export const parentById = (ctx: SignedIn, id: string) =>
  db
    .select({ id: categories.id, kind: categories.kind, depth: categories.depth })
    .from(categories)
    .where(and(isMine(ctx), eq(categories.id, id)))

export type NamedCategory = Pick<CategoryRow, 'id' | 'ownerId' | 'kind' | 'archived'>

/** The categories among these ids, however many, that the caller may put on transactions: each on its owner's. */
export const categoriesByIds = (ctx: SignedIn, ids: string[]): Statement<NamedCategory[]> =>
  ids.length === 0 ? nothing() : bookableCategories({ ...viewerOf(ctx), ids: JSON.stringify(ids) })

const bookableCategories = prepared<Viewer & { ids: string }, NamedCategory[]>(() =>
  db
    .select({
      id: categories.id,
      ownerId: categories.ownerId,
      kind: categories.kind,
      archived: categories.archived,
    })
    .from(categories)
    .where(
      sql`${categories.id} IN (SELECT value FROM json_each(${sql.placeholder('ids')}))
        AND +${categories.ownerId} IN (${annotatedOwnerIds(viewerParams)})`,
    ),
)

/** The fields of a new category; all others are empty. */
export type CategoryDraft = Pick<CategoryRow, 'name' | 'kind'> & Partial<CategoryRow>

export const newCategoryRow = (ctx: SignedIn, draft: CategoryDraft): CategoryRow => ({
  id: freshId(ctx, 'cat'),
  ownerId: ctx.caller.userId,
  nameKey: foldKey(draft.name),
  parentId: null,
  depth: 1,
  order: 0,
  color: null,
  icon: null,
  archived: false,
  excludeFromBudget: false,
  excludeFromReports: false,
  note: null,
  version: 1,
  createdAt: ctx.now,
  updatedAt: ctx.now,
  ...draft,
})

const COLUMNS = Object.entries(getTableColumns(categories))

const insertCategories = prepared<{ json: string }, unknown>(() =>
  db.run(
    sql`INSERT INTO categories (${sql.join(
      COLUMNS.map(([, { name }]) => sql.identifier(name)),
      sql`, `,
    )}) SELECT ${sql.join(
      COLUMNS.map(([key]) => sql.raw(`value->>'${key}'`)),
      sql`, `,
    )} FROM json_each(${sql.placeholder('json')})`,
  ),
)

/** Creates categories of the caller. */
export const categoriesCreated = (
  ctx: SignedIn,
  rows: CategoryRow[],
  tooMany: Refusal,
): Change => ({
  statements: [insertCategories({ json: JSON.stringify(rows) }), requireRoom(ctx, tooMany)],
  events: rows.map((row) =>
    categoryEvents.created({ id: row.id, version: row.version }, { after: row }),
  ),
})

/** Refuses when the parent is no longer what the new category was checked against. */
export const requireCategoryParent = (
  ctx: SignedIn,
  { id, kind, depth }: Parent,
  gone: Refusal = () => categoryErrors.unknownParent({ field: 'parentId' }),
): Statement =>
  refuseIf(
    sql`NOT EXISTS (SELECT 1 FROM ${categories} WHERE ${and(
      isMine(ctx),
      eq(categories.id, id),
      eq(categories.kind, kind),
      eq(categories.depth, depth),
    )})`,
    gone,
  )

/** Refuses when there would be more categories than are read at once. */
export const requireRoom = (ctx: SignedIn, tooMany: Refusal): Statement =>
  refuseIf(
    sql`(SELECT count(*) FROM ${categories} WHERE ${isMine(ctx)}) > ${MOST_CATEGORIES}`,
    tooMany,
  )

/** Changes a category that is still the one that was read. */
export const updateCategoryRow = (
  ctx: SignedIn,
  { id, version }: { id: string; version: number },
  changed: Partial<typeof categories.$inferInsert>,
): Statement[] => [
  db
    .update(categories)
    .set({ ...changed, version: sql`${categories.version} + 1`, updatedAt: ctx.now })
    .where(and(isMine(ctx), eq(categories.id, id), eq(categories.version, version))),
  requireChangedOne(changedMeanwhile),
]

/** Puts the depths of the caller's tree right, and refuses when it may not look like this. */
export const settleTree = ({ caller }: SignedIn, misshapen: Refusal = conflicting): Statement[] => [
  db.run(sql`WITH RECURSIVE tree (id, depth) AS (
      SELECT c.id, 1 FROM categories c WHERE ${ownedBy(caller, 'c.owner_id')} AND c.parent_id IS NULL
      UNION ALL SELECT c.id, tree.depth + 1 FROM tree JOIN categories c ON c.parent_id = tree.id)
    UPDATE categories SET depth = tree.depth FROM tree
    WHERE ${ownedBy(caller, 'categories.owner_id')} AND categories.id = tree.id
      AND categories.depth <> tree.depth`),
  // A circle is never reached from the top, so somewhere in it the depth does not grow by one.
  refuseIf(
    sql`EXISTS (SELECT 1 FROM categories c LEFT JOIN categories p ON p.id = c.parent_id
      WHERE ${ownedBy(caller, 'c.owner_id')} AND (c.depth > ${MOST_DEPTH} OR c.parent_id IS NOT NULL
        AND (p.depth + 1, p.kind, p.owner_id) IS NOT (c.depth, c.kind, c.owner_id)))`,
    misshapen,
  ),
]

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
