import { and, eq, gt, sql } from 'drizzle-orm'
import { categories } from '../../../drizzle/schema/categories.ts'
import type { SignedIn } from '../../platform/context.ts'
import { refuseWhen } from '../../platform/guards.ts'
import type { PageRequest } from '../../platform/paging.ts'
import { db, nothing, type Statement } from '../../platform/statements.ts'
import type { CategoryKind, Parent } from './categories.rules.ts'

export type CategoryRow = typeof categories.$inferSelect

export interface CategoryFilter {
  kind?: CategoryKind | undefined
  archived?: boolean | undefined
  parentId?: string | undefined
}

const isMine = (ctx: SignedIn) => eq(categories.ownerId, ctx.caller.userId)

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

export const parentById = (ctx: SignedIn, id: string) =>
  db
    .select({ id: categories.id, kind: categories.kind, depth: categories.depth })
    .from(categories)
    .where(and(isMine(ctx), eq(categories.id, id)))

export type NamedCategory = Pick<CategoryRow, 'id' | 'kind' | 'archived'>

/** The caller's categories among these ids, however many they are. */
export const categoriesByIds = (ctx: SignedIn, ids: string[]): Statement<NamedCategory[]> =>
  ids.length === 0
    ? nothing()
    : db
        .select({ id: categories.id, kind: categories.kind, archived: categories.archived })
        .from(categories)
        .where(
          and(
            isMine(ctx),
            sql`${categories.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
          ),
        )

export const insertCategory = (category: CategoryRow): Statement =>
  db.insert(categories).values(category)

/** Breaks the guard `gone` when the parent is no longer what the new category was checked against. */
export const requireParent = (ctx: SignedIn, { id, kind, depth }: Parent): Statement =>
  refuseWhen(
    'gone',
    sql`NOT EXISTS (SELECT 1 FROM ${categories} WHERE ${and(
      isMine(ctx),
      eq(categories.id, id),
      eq(categories.kind, kind),
      eq(categories.depth, depth),
    )})`,
  )
