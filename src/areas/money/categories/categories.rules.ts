import type { AppError } from '../../../domain/errors.ts'
import { categoryErrors } from './categories.errors.ts'
import names from './starter-names.json' with { type: 'json' }

export const MOST_DEPTH = 5
/** Limit that allows the whole tree to be read, moved and shown at once. */
export const MOST_CATEGORIES = 1000
/** Payees of a category that can be handed over at once: the trash and the log keep their ids in one value. */
export const MOST_PAYEES = 40_000
/** Lines of budgets that count a category in the place of one that is in the trash. */
export const MOST_TAKERS = 1000

export type CategoryKind = 'expense' | 'income'

export interface Parent {
  id: string
  kind: CategoryKind
  depth: number
}

/** Returns the reason a category of this kind may not stand under the parent; undefined if it may. */
export function whyNotUnder(parent: Parent, kind: CategoryKind): AppError | undefined {
  if (parent.kind !== kind) {
    return categoryErrors.kindMismatch({ field: 'parentId' })
  }
  return parent.depth >= MOST_DEPTH ? categoryErrors.tooDeep({ field: 'parentId' }) : undefined
}

/** The fields that decide where a category can be in the tree. */
export interface PlacedCategory {
  id: string
  kind: CategoryKind
  parentId: string | null
}

/** The categories from this one up to the top, or up to where they come round to one again. */
function lineage(byId: Map<string, PlacedCategory>, id: string): PlacedCategory[] {
  const line: PlacedCategory[] = []
  for (
    let category = byId.get(id);
    category && line.length <= MOST_CATEGORIES;
    category = category.parentId === null ? undefined : byId.get(category.parentId)
  ) {
    line.push(category)
  }
  return line
}

type Refusal = typeof categoryErrors.tooDeep

/** Returns the flaw of the tree, and its category; undefined if it has none. */
export function flawOf(tree: PlacedCategory[]): { id: string; error: Refusal } | undefined {
  const byId = new Map(tree.map((one) => [one.id, one]))
  for (const { id, kind, parentId } of tree) {
    const parent = parentId === null ? undefined : byId.get(parentId)
    if (parentId !== null && !parent) {
      return { id, error: categoryErrors.unknownParent }
    }
    if (parent && parent.kind !== kind) {
      return { id, error: categoryErrors.kindMismatch }
    }
    const depth = lineage(byId, id).length
    if (depth > MOST_DEPTH) {
      return {
        id,
        error: depth > MOST_CATEGORIES ? categoryErrors.belowItself : categoryErrors.tooDeep,
      }
    }
  }
  return undefined
}

/** The ids of a category and of all that stand below it. */
export function idsBelow(tree: PlacedCategory[], id: string): Set<string> {
  const byId = new Map(tree.map((one) => [one.id, one]))
  const below = tree.filter((one) => lineage(byId, one.id).some((above) => above.id === id))
  return new Set(below.map((one) => one.id))
}

/** The sums of a category in one currency; spending is positive. */
export interface Activity {
  categoryId: string
  currency: string
  minor: bigint
  lineCount: number
}

/** Returns the amount that a category earned or spent, by its kind. A refund of an expense is negative. */
export interface PeriodSum {
  currency: string
  /** The number of transactions and parts that were booked on it alone. */
  lineCount: number
  ownMinor: bigint
  /** With all that stands below it. */
  minor: bigint
}

/** The sums of each category, by currency. */
export function rollUpCategories(
  tree: PlacedCategory[],
  activity: Activity[],
): Map<string, PeriodSum[]> {
  const byId = new Map(tree.map((one) => [one.id, one]))
  const sums = new Map<string, PeriodSum[]>()
  for (const { categoryId, currency, minor, lineCount } of activity) {
    for (const { id, kind } of lineage(byId, categoryId)) {
      const signed = kind === 'income' ? -minor : minor
      const sum = sumIn(sums, id, currency)
      sum.minor += signed
      if (id === categoryId) {
        sum.ownMinor += signed
        sum.lineCount += lineCount
      }
    }
  }
  return sums
}

function sumIn(sums: Map<string, PeriodSum[]>, id: string, currency: string): PeriodSum {
  const known = sums.get(id) ?? []
  sums.set(id, known)
  const found = known.find((sum) => sum.currency === currency)
  const sum = found ?? { currency, lineCount: 0, ownMinor: 0n, minor: 0n }
  if (!found) {
    known.push(sum)
    known.sort((one, other) => (one.currency < other.currency ? -1 : 1))
  }
  return sum
}

/** The languages that a starter set is written in. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt'] as const

export type Language = (typeof LANGUAGES)[number]

/** English has a name for each, and no other language may lack one. */
export type StarterKey = keyof typeof names.en

const NAMES: Record<Language, Record<StarterKey, string>> = names

export const starterName = (language: Language, key: StarterKey): string => NAMES[language][key]
