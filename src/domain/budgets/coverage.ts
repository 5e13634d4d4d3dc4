import { memoized } from '../memoized.ts'

/** A category as budgets see it. */
export interface BudgetCategory {
  id: string
  parentId: string | null
  /** Tells that it, and all below it, is outside of budgets. */
  isExcluded: boolean
}

/** A line with the categories that it names. */
export interface CategoryLine {
  id: string
  categoryIds: readonly string[]
}

/** Finds the lines that a category counts in. */
export interface Coverage {
  /** The line that names the category, else the one that names its nearest ancestor. */
  nearestLine: (categoryId: string) => string | undefined
  /** All lines that name the category or one of its ancestors, the nearest first. */
  allLines: (categoryId: string) => readonly string[]
  /** Tells if the category, or one above it, is outside of budgets. */
  isExcluded: (categoryId: string) => boolean
  /** True if any line names a category. */
  hasLines: boolean
  /** Lines none of whose categories has an ancestor that another line names. */
  topLines: readonly string[]
}

export function coverageOf(
  categories: readonly BudgetCategory[],
  lines: readonly CategoryLine[],
): Coverage {
  const byId = new Map(categories.map((category) => [category.id, category]))
  const naming = Map.groupBy(
    lines.flatMap(({ id, categoryIds }) => categoryIds.map((categoryId) => ({ id, categoryId }))),
    ({ categoryId }) => categoryId,
  )

  /** The category and those above it. A deleted category is not in the tree and stands alone. */
  function pathOf(categoryId: string): string[] {
    const path: string[] = []
    for (let id: string | null = categoryId; id !== null; id = byId.get(id)?.parentId ?? null) {
      path.push(id)
    }
    return path
  }

  const linesNaming = (path: string[]): string[] => [
    ...new Set(path.flatMap((id) => (naming.get(id) ?? []).map((line) => line.id))),
  ]
  const allLines = memoized((categoryId: string) => linesNaming(pathOf(categoryId)))

  return {
    nearestLine: (categoryId) => allLines(categoryId)[0],
    allLines,
    isExcluded: memoized((categoryId: string) =>
      pathOf(categoryId).some((id) => byId.get(id)?.isExcluded === true),
    ),
    hasLines: naming.size > 0,
    topLines: lines
      .filter(
        ({ id, categoryIds }) =>
          !categoryIds.some((categoryId) =>
            linesNaming(pathOf(categoryId).slice(1)).some((line) => line !== id),
          ),
      )
      .map(({ id }) => id),
  }
}
