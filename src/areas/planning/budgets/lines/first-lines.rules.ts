import { foldKey } from '../../../../domain/text.ts'
import { MOST_LINES } from './lines.rules.ts'

/** Which categories a new budget begins with lines for. */
export type FirstLines = 'leaves' | 'top' | 'none'

export interface CategoryForLine {
  id: string
  name: string
  parentId: string | null
  archived: boolean
  /** It, and all below it, is outside of budgets. */
  excluded: boolean
}

/** A first line of a budget, and the category whose line it is shown below. */
export interface FirstLine {
  categoryId: string
  name: string
  below: string | null
  /** Groups the lines below it. */
  isGroup: boolean
}

/**
 * The first lines of a budget in the order of the tree: one for each category at the top, or for each one without subcategories
 * and for the categories above it.
 * @param categories each level in its order
 */
export function firstLinesOf(
  categories: readonly CategoryForLine[],
  lines: FirstLines,
): FirstLine[] {
  const below = Map.groupBy(categories, ({ parentId }) => parentId)
  const names = new Set<string>()
  const found: FirstLine[] = []
  const visit = (parent: CategoryForLine | null, shownBelow: string | null) => {
    for (const one of below.get(parent?.id ?? null) ?? []) {
      const isLeaf = lines === 'top' || !below.has(one.id)
      const hasLine = !one.archived && !one.excluded
      if (hasLine) {
        const name = uniqueName(one.name, parent?.name, names)
        found.push({ categoryId: one.id, name, below: shownBelow, isGroup: !isLeaf })
      }
      if (!isLeaf && !one.excluded) {
        visit(one, hasLine ? one.id : shownBelow)
      }
    }
  }
  if (lines !== 'none') {
    visit(null, null)
  }
  return found.slice(0, MOST_LINES)
}

function uniqueName(name: string, parentName: string | undefined, taken: Set<string>): string {
  const longer =
    parentName && taken.has(foldKey(name)) ? `${parentName} / ${name}`.slice(0, 90) : name
  let own = longer
  for (let number = 2; taken.has(foldKey(own)); number += 1) {
    own = `${longer} ${number}`
  }
  taken.add(foldKey(own))
  return own
}
