import { foldKey } from '../../domain/text.ts'
import { freshId, type SignedIn } from '../../platform/context.ts'
import { commit, read } from '../../platform/database.ts'
import { cutPage, type Page, type PageRequest } from '../../platform/paging.ts'
import { categoryErrors } from './categories.errors.ts'
import {
  type CategoryFilter,
  type CategoryRow,
  countOfCategories,
  insertCategory,
  pageOfCategories,
  parentById,
  requireParent,
} from './categories.queries.ts'
import { type CategoryKind, type Parent, whyNotUnder } from './categories.rules.ts'

export interface NewCategory {
  name: string
  kind: CategoryKind
  parentId?: string | undefined
  order: number
  color?: string | undefined
  icon?: string | undefined
  archived: boolean
  excludeFromBudget: boolean
  excludeFromReports: boolean
  note?: string | undefined
}

/** One page of the caller's categories. */
export async function listCategories(
  ctx: SignedIn,
  filter: CategoryFilter,
  page: PageRequest,
): Promise<Page<CategoryRow>> {
  const [found, [total]] = await read(
    ctx,
    pageOfCategories(ctx, filter, page),
    countOfCategories(ctx, filter),
  )
  return { ...cutPage(found, page, ({ id }) => [id]), count: total?.count ?? 0 }
}

/** Creates a category, at the top or under one of the caller's own. */
export async function createCategory(ctx: SignedIn, wanted: NewCategory): Promise<CategoryRow> {
  const parent = await parentOf(ctx, wanted)
  const category: CategoryRow = {
    id: freshId(ctx, 'cat'),
    ownerId: ctx.caller.userId,
    name: wanted.name,
    nameKey: foldKey(wanted.name),
    kind: wanted.kind,
    parentId: parent?.id ?? null,
    depth: (parent?.depth ?? 0) + 1,
    order: wanted.order,
    color: wanted.color ?? null,
    icon: wanted.icon ?? null,
    archived: wanted.archived,
    excludeFromBudget: wanted.excludeFromBudget,
    excludeFromReports: wanted.excludeFromReports,
    note: wanted.note ?? null,
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  return commit(ctx, {
    action: 'category.created',
    resource: { type: 'category', id: category.id },
    changes: { after: category },
    writes: [...(parent ? [requireParent(ctx, parent)] : []), insertCategory(category)],
    result: category,
    conflicts: { 'categories.name_key': () => categoryErrors.nameTaken({ field: 'name' }) },
    guards: { gone: () => categoryErrors.unknownParent({ field: 'parentId' }) },
  })
}

async function parentOf(
  ctx: SignedIn,
  { parentId, kind }: NewCategory,
): Promise<Parent | undefined> {
  if (parentId === undefined) {
    return undefined
  }
  const [[parent]] = await read(ctx, parentById(ctx, parentId))
  if (!parent) {
    throw categoryErrors.unknownParent({ field: 'parentId' })
  }
  const refused = whyNotUnder(parent, kind)
  if (refused) {
    throw refused
  }
  return parent
}
