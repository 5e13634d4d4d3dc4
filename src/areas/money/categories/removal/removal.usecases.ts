import type { SignedIn } from '../../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../../platform/database/database.ts'
import {
  type CategoryLines,
  countOfLines,
  type LabelledLine,
  linesOfCategory,
  putInTrash,
  requireMovable,
  reassignLines,
  releaseLines,
} from '../../../../ledger/labels/labels.public.ts'
import { categoryErrors, categoryInUse } from '../categories.errors.ts'
import { categoryEvents } from '../categories.events.ts'
import { allCategories, categoryById, type CategoryRow } from '../categories.queries.ts'
import { flawOf, idsBelow, MOST_PAYEES } from '../categories.rules.ts'
import {
  alsoCount,
  endLines,
  followInBudgets,
  type FollowingLine,
  followingLines,
  takersOf,
} from './budget-lines.queries.ts'
import {
  absorb,
  type Belongings,
  childrenOf,
  deleteCategoryRow,
  lockedLinesOf,
  payeesOf,
} from './removal.queries.ts'

export interface CategoryUsage extends CategoryLines {
  childCount: number
  payeeCount: number
}

/** A category that took another one over, with how many lines in locked periods that was. */
export interface HandedOver {
  category: CategoryRow
  lockedLines: number
}

/** Counts what uses a category. */
export async function getCategoryUsage(ctx: SignedIn, id: string): Promise<CategoryUsage> {
  const [[category], [lines], children, payees] = await read(
    ctx,
    categoryById(ctx, id),
    countOfLines(ctx, id),
    childrenOf(ctx, id),
    payeesOf(ctx, id),
  )
  if (!category || !lines) {
    throw categoryErrors.notFound()
  }
  return { ...lines, childCount: children.length, payeeCount: payees.length }
}

/** Deletes a category; what hangs on it goes to `reassignTo`, else it stays. Gives how many lines in locked periods lose it. */
export async function deleteCategory(
  ctx: SignedIn,
  id: string,
  reassignTo: string | undefined,
): Promise<number> {
  if (reassignTo === undefined) {
    return removeUnused(ctx, id)
  }
  const [tree, lines, payees, [locked], budgetLines] = await read(
    ctx,
    allCategories(ctx),
    linesOfCategory(ctx, id),
    payeesOf(ctx, id),
    lockedLinesOf(ctx, id),
    followingLines(id, reassignTo),
  )
  const from = tree.find((one) => one.id === id)
  if (!from) {
    throw categoryErrors.notFound()
  }
  requireVersion(ctx, from.version)
  const to = targetIn(tree, from, reassignTo, 'reassignTo')
  const lockedLines = locked?.count ?? 0
  await handOver(ctx, 'deleted', tree, { from, to, lines, payees, lockedLines, budgetLines })
  return lockedLines
}

async function removeUnused(ctx: SignedIn, id: string): Promise<number> {
  const [[category], [counted], lines, children, payees] = await read(
    ctx,
    categoryById(ctx, id),
    countOfLines(ctx, id),
    linesOfCategory(ctx, id),
    childrenOf(ctx, id),
    payeesOf(ctx, id),
  )
  if (!category || !counted) {
    throw categoryErrors.notFound()
  }
  requireVersion(ctx, category.version)
  const usage = { ...counted, childCount: children.length, payeeCount: payees.length }
  if (usage.lineCount > 0 || usage.childCount > 0 || usage.payeeCount > 0) {
    throw categoryInUse(usage)
  }
  requireMovable(lines, categoryErrors.tooManyLines)
  const released = releaseLines(ctx, id, lines)
  return commit(ctx, {
    changes: [
      {
        statements: [
          ...released.statements,
          ...deleteCategoryRow(ctx, category),
          intoTrash(ctx, {
            ...{ row: category, into: null, lines, childIds: [], payeeIds: [], takers: [] },
          }),
        ],
        events: [
          categoryEvents.deleted({ id, version: category.version }, { before: category }),
          ...released.events,
        ],
      },
    ],
    // All of them are in the trash.
    result: 0,
  })
}

/** The data that is needed to restore a category. Lines that lose it change their side where they were refunds. */
function intoTrash(
  ctx: SignedIn,
  { lines, ...image }: Belongings & { row: CategoryRow; into: string | null },
) {
  const { row, into } = image
  const losesSide = ({ kind }: LabelledLine) =>
    into === null && row.kind === 'expense' && kind === 'income'
  return putInTrash(
    ctx,
    { id: row.id, kind: 'category', name: row.name },
    {
      ...image,
      lines: lines.filter((line) => !losesSide(line)),
      refunds: lines.filter(losesSide),
    },
  )
}

/** Merges another category into this one. */
export async function mergeCategory(
  ctx: SignedIn,
  id: string,
  otherId: string,
): Promise<HandedOver> {
  const [tree, lines, payees, [locked], budgetLines] = await read(
    ctx,
    allCategories(ctx),
    linesOfCategory(ctx, otherId),
    payeesOf(ctx, otherId),
    lockedLinesOf(ctx, otherId),
    followingLines(otherId, id),
  )
  const to = tree.find((one) => one.id === id)
  if (!to) {
    throw categoryErrors.notFound()
  }
  const from = tree.find((one) => one.id === otherId)
  if (!from) {
    throw categoryErrors.unknownCategory({ field: 'categoryId' })
  }
  targetIn(tree, from, id, 'categoryId')
  const lockedLines = locked?.count ?? 0
  return handOver(ctx, 'merged', tree, { from, to, lines, payees, lockedLines, budgetLines })
}

/** The category that takes another one over, if it may. */
function targetIn(
  tree: CategoryRow[],
  from: CategoryRow,
  id: string,
  field: 'reassignTo' | 'categoryId',
): CategoryRow {
  const to = tree.find((one) => one.id === id)
  if (!to || to === from) {
    throw categoryErrors.unknownTarget({ field })
  }
  if (to.kind !== from.kind) {
    throw categoryErrors.targetKind({ field })
  }
  if (to.archived) {
    throw categoryErrors.targetArchived({ field })
  }
  if (idsBelow(tree, from.id).has(to.id)) {
    throw categoryErrors.targetBelow({ field })
  }
  const after = tree.map((one) => (one.parentId === from.id ? { ...one, parentId: to.id } : one))
  const flaw = flawOf(after)
  if (flaw) {
    throw flaw.error({ field })
  }
  return to
}

interface HandOver {
  from: CategoryRow
  to: CategoryRow
  lines: LabelledLine[]
  payees: { id: string }[]
  lockedLines: number
  /** Lines of budgets that count it. */
  budgetLines: FollowingLine[]
}

function handOver(
  ctx: SignedIn,
  verb: 'deleted' | 'merged',
  tree: CategoryRow[],
  { from, to, lines, payees, lockedLines, budgetLines }: HandOver,
): Promise<HandedOver> {
  requireMovable(lines, categoryErrors.tooManyLines)
  if (payees.length > MOST_PAYEES) {
    throw categoryErrors.tooManyPayees()
  }
  const childIds = tree.filter(({ parentId }) => parentId === from.id).map(({ id }) => id)
  const payeeIds = payees.map(({ id }) => id)
  const takers = takersOf(budgetLines)
  const { id, version } = from
  const moved = reassignLines(ctx, { from: id, to: to.id }, lines)
  return commit(ctx, {
    changes: [
      {
        statements: [
          ...absorb(ctx, from, to, { childIds, payeeIds, moved: moved.statements }),
          ...endLines(ctx, budgetLines),
          // Lines of budgets keep a category that may come back.
          ...(verb === 'deleted'
            ? [
                ...alsoCount(id, to.id, takers),
                intoTrash(ctx, { row: from, into: to.id, lines, childIds, payeeIds, takers }),
              ]
            : followInBudgets(ctx, { from: id, to: to.id }, budgetLines)),
        ],
        events: [
          categoryEvents[verb]({ id, version }, { before: from, into: to.id, childIds, payeeIds }),
          ...moved.events,
        ],
      },
    ],
    result: { category: to, lockedLines },
    conflicts: { 'categories.name_key': categoryErrors.childNameTaken },
  })
}
