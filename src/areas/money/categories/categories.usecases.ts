import { foldKey } from '../../../domain/text.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../platform/database/database.ts'
import { withoutEvents } from '../../../platform/log/events.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/database/paging.ts'
import { nothing } from '../../../platform/database/statements.ts'
import { fromWideSum } from '../../../platform/database/wide-sums.ts'
import { categoryErrors } from './categories.errors.ts'
import { categoryEvents } from './categories.events.ts'
import {
  activityIn,
  allCategories,
  categoriesCreated,
  categoryById,
  type CategoryFilter,
  countOfCategories,
  isBooked,
  mustBeUnbooked,
  newCategoryRow,
  pageOfCategories,
  parentById,
  type MonthRange,
  requireCategoryParent,
  settleTree,
  updateCategoryRow,
  type CategoryRow,
} from './categories.queries.ts'
import {
  type Activity,
  type CategoryKind,
  flawOf,
  type Parent,
  type PeriodSum,
  rollUpCategories,
  whyNotUnder,
} from './categories.rules.ts'
import { placeCategories } from './order.queries.ts'

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

/** A category as a list shows it. */
export interface CategoryView {
  row: CategoryRow
  sums?: PeriodSum[]
  children?: CategoryView[]
}

export interface ListRequest extends CategoryFilter, MonthRange {
  view: 'flat' | 'tree'
}

/** One page of the caller's categories, or all of them as a tree. */
export async function listCategories(
  ctx: SignedIn,
  wanted: ListRequest,
  page: PageRequest,
): Promise<Page<CategoryView>> {
  const isTree = wanted.view === 'tree'
  const hasSums = wanted.fromMonth !== undefined || wanted.toMonth !== undefined
  const [all, activity, found, [total]] = await read(
    ctx,
    isTree || hasSums ? allCategories(ctx) : nothing<CategoryRow>(),
    hasSums ? activityIn(ctx, wanted) : nothing<ActivityRow>(),
    isTree ? nothing<CategoryRow>() : pageOfCategories(ctx, wanted, page),
    isTree ? nothing<{ count: number }>() : countOfCategories(ctx, wanted),
  )
  const sums = hasSums ? rollUpCategories(all, activity.map(activityOf)) : undefined
  const viewOf = (row: CategoryRow): CategoryView =>
    sums ? { row, sums: sums.get(row.id) ?? [] } : { row }
  if (isTree) {
    return treeOf(all, wanted, viewOf)
  }
  const { rows, next } = cutPage(found, page, ({ id }) => [id])
  return { rows: rows.map(viewOf), next, count: total?.count ?? 0 }
}

type ActivityRow = Awaited<ReturnType<typeof activityIn>>[number]

const activityOf = ({ activity, ...row }: ActivityRow): Activity => ({
  ...row,
  minor: fromWideSum(activity),
})

/** The tree of those that the filter lets through; what stands below others is left out with them. */
function treeOf(
  all: CategoryRow[],
  { kind, archived, parentId }: CategoryFilter,
  viewOf: (row: CategoryRow) => CategoryView,
): Page<CategoryView> {
  const shown = all.filter(
    (row) =>
      (kind === undefined || row.kind === kind) &&
      (archived === undefined || row.archived === archived),
  )
  const byParent = Map.groupBy(shown, (row) => row.parentId)
  let count = 0
  const below = (id: string | null): CategoryView[] =>
    (byParent.get(id) ?? [])
      .toSorted((one, other) => one.order - other.order || (one.nameKey < other.nameKey ? -1 : 1))
      .map((row) => {
        count += 1
        return { ...viewOf(row), children: below(row.id) }
      })
  const rows = below(parentId ?? null)
  return { rows, count, next: null }
}

export async function getCategory(ctx: SignedIn, id: string): Promise<CategoryRow> {
  const [[row]] = await read(ctx, categoryById(ctx, id))
  return existing(row)
}

function existing(row: CategoryRow | undefined): CategoryRow {
  if (!row) {
    throw categoryErrors.notFound()
  }
  return row
}

/** Creates a category, at the top or under one of the caller's own. */
export async function createCategory(ctx: SignedIn, wanted: NewCategory): Promise<CategoryRow> {
  const parent = await parentOf(ctx, wanted)
  const { name, kind, order, color, icon, archived, note } = wanted
  const category = newCategoryRow(ctx, {
    name,
    kind,
    parentId: parent?.id ?? null,
    depth: (parent?.depth ?? 0) + 1,
    order,
    color: color ?? null,
    icon: icon ?? null,
    archived,
    excludeFromBudget: wanted.excludeFromBudget,
    excludeFromReports: wanted.excludeFromReports,
    note: note ?? null,
  })
  return commit(ctx, {
    changes: [
      withoutEvents(parent ? [requireCategoryParent(ctx, parent)] : []),
      categoriesCreated(ctx, [category], categoryErrors.tooMany),
    ],
    result: category,
    conflicts: { 'categories.name_key': () => categoryErrors.nameTaken({ field: 'name' }) },
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

/** Absent means left alone; null clears, and of the parent moves to the top. */
export interface CategoryChanges {
  name?: string | undefined
  kind?: CategoryKind | undefined
  parentId?: string | null | undefined
  order?: number | undefined
  color?: string | null | undefined
  icon?: string | null | undefined
  archived?: boolean | undefined
  excludeFromBudget?: boolean | undefined
  excludeFromReports?: boolean | undefined
  note?: string | null | undefined
}

/** Changes the fields that are sent; what stands below a category moves along with it. */
export async function updateCategory(
  ctx: SignedIn,
  id: string,
  wanted: CategoryChanges,
): Promise<CategoryRow> {
  const mayMove = wanted.parentId !== undefined || wanted.kind !== undefined
  const [[found], tree, [booked]] = await read(
    ctx,
    categoryById(ctx, id),
    mayMove ? allCategories(ctx) : nothing<CategoryRow>(),
    wanted.kind === undefined ? nothing<{ found: number }>() : isBooked(id),
  )
  const before = existing(found)
  requireVersion(ctx, before.version)
  const sent = Object.fromEntries(
    Object.entries(wanted).filter(([, value]) => value !== undefined),
  ) as Partial<CategoryRow>
  const after = { ...before, ...sent, nameKey: foldKey(wanted.name ?? before.name) }
  const isOtherKind = after.kind !== before.kind
  if (isOtherKind && (booked || tree.some(({ parentId }) => parentId === id))) {
    throw categoryErrors.kindStays({ field: 'kind' })
  }
  const isMoved = isOtherKind || after.parentId !== before.parentId
  const flaw = isMoved ? flawOf(tree.map((one) => (one.id === id ? after : one))) : undefined
  if (flaw) {
    throw flaw.error({ field: 'parentId' })
  }
  const { nameKey } = after
  const version = before.version + 1
  return commit(ctx, {
    changes: [
      {
        statements: [
          ...updateCategoryRow(ctx, before, { ...sent, nameKey }),
          ...(isMoved ? settleTree(ctx) : []),
          ...(isOtherKind ? [mustBeUnbooked(id)] : []),
        ],
        events: [categoryEvents.updated({ id, version }, { before, after })],
      },
    ],
    result: { ...after, version, updatedAt: ctx.now },
    conflicts: { 'categories.name_key': () => categoryErrors.nameTaken({ field: 'name' }) },
  })
}

/** A category in its new place; without a parent it stays where it is. */
export interface Placing {
  id: string
  parentId?: string | null | undefined
}

/** Puts categories in the order in which they are sent, each below the parent that is sent. */
export async function reorderCategories(ctx: SignedIn, wanted: Placing[]): Promise<void> {
  const [tree] = await read(ctx, allCategories(ctx))
  const byId = new Map(tree.map((category) => [category.id, category]))
  const fieldOf = (at: number, name: string) => ({ field: `categories.${at}.${name}` })
  const placed = new Map<string, CategoryRow>()
  for (const [at, { id, parentId }] of wanted.entries()) {
    const now = byId.get(id)
    if (!now) {
      throw categoryErrors.unknownCategory(fieldOf(at, 'id'))
    }
    if (placed.has(id)) {
      throw categoryErrors.namedTwice(fieldOf(at, 'id'))
    }
    placed.set(id, {
      ...now,
      order: at,
      parentId: parentId === undefined ? now.parentId : parentId,
    })
  }
  const flaw = flawOf(tree.map((one) => placed.get(one.id) ?? one))
  if (flaw) {
    const at = wanted.findIndex(({ id }) => id === flaw.id)
    throw flaw.error(at === -1 ? {} : fieldOf(at, 'parentId'))
  }
  const after = [...placed.values()].filter(
    ({ id, parentId, order }) =>
      byId.get(id)?.parentId !== parentId || byId.get(id)?.order !== order,
  )
  const placeOf = ({ id, parentId, order }: CategoryRow) => ({ id, parentId, order })
  await commit(ctx, {
    changes: [
      {
        statements: [
          ...placeCategories(
            ctx,
            after.map((one) => ({ ...placeOf(one), version: one.version })),
          ),
          ...settleTree(ctx),
        ],
        events: [
          categoryEvents.reordered(
            { id: null },
            {
              before: after.flatMap(({ id }) => byId.get(id) ?? []).map(placeOf),
              after: after.map(placeOf),
            },
          ),
        ],
      },
    ],
    result: undefined,
    conflicts: { 'categories.name_key': () => categoryErrors.nameTaken({ field: 'categories' }) },
  })
}
