import type { SignedIn } from '../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../platform/database.ts'
import {
  type CategorisedLine,
  type CategoryLines,
  countOfLines,
  linesByTransaction,
  linesOfCategory,
  MOST_LINES_MOVED,
  movedItems,
  putInTrash,
  releaseLines,
  WHOLE,
} from '../../ledger/ledger.public.ts'
import { categoryErrors, inUse } from '../categories.errors.ts'
import { allCategories, categoryById, type CategoryRow } from '../categories.queries.ts'
import { flawOf, idsBelow } from '../categories.rules.ts'
import { absorb, type Belongings, childrenOf, deleteCategory, payeesOf } from './removal.queries.ts'

export interface Usage extends CategoryLines {
  childCount: number
  payeeCount: number
}

/** What hangs on a category. */
export async function findUsage(ctx: SignedIn, id: string): Promise<Usage> {
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

/** Deletes a category; what hangs on it goes to `reassignTo`, else it stays. */
export async function removeCategory(
  ctx: SignedIn,
  id: string,
  reassignTo: string | undefined,
): Promise<void> {
  if (reassignTo === undefined) {
    return removeUnused(ctx, id)
  }
  const [tree, lines, payees] = await read(
    ctx,
    allCategories(ctx),
    linesOfCategory(ctx, id),
    payeesOf(ctx, id),
  )
  const from = tree.find((one) => one.id === id)
  if (!from) {
    throw categoryErrors.notFound()
  }
  requireVersion(ctx, from.version)
  const to = targetIn(tree, from, reassignTo, 'reassignTo')
  await handOver(ctx, 'category.deleted', tree, { from, to, lines, payees })
}

async function removeUnused(ctx: SignedIn, id: string): Promise<void> {
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
    throw inUse(usage)
  }
  requireMovable(lines)
  await commit(ctx, {
    action: 'category.deleted',
    resource: { type: 'category', id },
    changes: { before: category, lines: linesByTransaction(lines) },
    items: itemsOf(lines, id, undefined),
    writes: [
      ...releaseLines(ctx, id, lines),
      ...deleteCategory(ctx, category),
      intoTrash(ctx, { row: category, into: null, lines, childIds: [], payeeIds: [] }),
    ],
    result: undefined,
  })
}

/** What the log says of each transaction: another category, or none, took the place of this one. */
const itemsOf = (lines: CategorisedLine[], from: string, to: string | undefined) =>
  movedItems(
    'categoryId',
    to,
    lines.map(({ isWhole, transactionId, line }) => ({
      transactionId,
      line: isWhole ? WHOLE : line,
      targetId: from,
    })),
  )

/** What it takes to bring a category back. */
const intoTrash = (
  ctx: SignedIn,
  { lines, ...image }: Belongings & { row: CategoryRow; into: string | null },
) =>
  putInTrash(
    ctx,
    { id: image.row.id, kind: 'category', name: image.row.name },
    { ...image, lines: linesByTransaction(lines) },
  )

function requireMovable(lines: CategorisedLine[]): void {
  if (lines.length > MOST_LINES_MOVED) {
    throw categoryErrors.tooManyLines()
  }
}

/** Merges another category into this one. */
export async function mergeCategory(
  ctx: SignedIn,
  id: string,
  otherId: string,
): Promise<CategoryRow> {
  const [tree, lines, payees] = await read(
    ctx,
    allCategories(ctx),
    linesOfCategory(ctx, otherId),
    payeesOf(ctx, otherId),
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
  return handOver(ctx, 'category.merged', tree, { from, to, lines, payees })
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
  lines: CategorisedLine[]
  payees: { id: string }[]
}

function handOver(
  ctx: SignedIn,
  action: 'category.deleted' | 'category.merged',
  tree: CategoryRow[],
  { from, to, lines, payees }: HandOver,
): Promise<CategoryRow> {
  requireMovable(lines)
  const childIds = tree.filter(({ parentId }) => parentId === from.id).map(({ id }) => id)
  const payeeIds = payees.map(({ id }) => id)
  const belongings: Belongings = { lines, childIds, payeeIds }
  return commit(ctx, {
    action,
    resource: { type: 'category', id: action === 'category.merged' ? to.id : from.id },
    // What it takes to bring the category back: which lines of which transactions were its own.
    changes: { before: from, into: to.id, childIds, payeeIds, lines: linesByTransaction(lines) },
    items: itemsOf(lines, from.id, to.id),
    writes: [
      ...absorb(ctx, from, to, belongings),
      ...(action === 'category.deleted'
        ? [intoTrash(ctx, { row: from, into: to.id, ...belongings })]
        : []),
    ],
    result: to,
    conflicts: { 'categories.name_key': categoryErrors.childNameTaken },
  })
}
