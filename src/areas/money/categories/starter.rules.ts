import { foldKey } from '../../../domain/text.ts'
import {
  type CategoryKind,
  MOST_DEPTH,
  type Parent,
  type Language,
  LANGUAGES,
  starterName,
  type StarterKey,
} from './categories.rules.ts'
import categories from './starter-categories.json' with { type: 'json' }

export const HOUSEHOLDS = ['single', 'couple', 'family', 'student', 'retired'] as const

export type Household = (typeof HOUSEHOLDS)[number]

interface Leaf {
  key: StarterKey
  icon: string
  /** The households that have it; all where nothing is said. */
  only?: readonly Household[]
}

interface Branch extends Leaf {
  kind: CategoryKind
  color: string
  children: Leaf[]
}

const BRANCHES = categories as Branch[]

/** A category of a starter set; `below` is the place of its parent in the set. */
export interface StarterCategory {
  name: string
  nameKey: string
  kind: CategoryKind
  icon: string
  color: string
  order: number
  below?: number
}

/** The categories of a household, in a language: each parent before what stands below it. */
export function starterSet(language: Language, household: Household): StarterCategory[] {
  const isFor = ({ only }: Leaf) => only === undefined || only.includes(household)
  const set: StarterCategory[] = []
  const add = ({ key, icon }: Leaf, rest: Omit<StarterCategory, 'name' | 'nameKey' | 'icon'>) => {
    const name = starterName(language, key)
    return set.push({ name, nameKey: foldKey(name), icon, ...rest }) - 1
  }
  for (const [order, branch] of BRANCHES.filter(isFor).entries()) {
    const { kind, color } = branch
    const below = add(branch, { kind, color, order })
    for (const [place, child] of branch.children.filter(isFor).entries()) {
      add(child, { kind, color, order: place, below })
    }
  }
  return set
}

/** The language of a locale, if there is a set in it; else English. */
export function languageOf(locale: string): Language {
  const [word = ''] = locale.toLowerCase().split('-')
  return LANGUAGES.find((language) => language === word) ?? 'en'
}

/** A category that somebody has. */
export interface ExistingCategory extends Parent {
  nameKey: string
  parentId: string | null
}

/** The plan for a category of the set: it already exists, or it is created below another one or at the top level. */
export type PlannedCategory<Row> =
  | { existing: Row }
  | { starter: StarterCategory; parent: number | Row | undefined }

/**
 * Decides what of a set somebody lacks. A name that they have anywhere in its kind is not created again, and is the parent
 * of what stands below it in the set, unless it is too deep to be one.
 */
export function starterPlan<Row extends ExistingCategory>(
  set: StarterCategory[],
  known: Row[],
): PlannedCategory<Row>[] {
  const planned: PlannedCategory<Row>[] = []
  for (const starter of set) {
    const above = starter.below === undefined ? undefined : planned[starter.below]
    const parent = above && ('existing' in above ? usable(above.existing) : starter.below)
    const named = known.filter(
      ({ kind, nameKey }) => kind === starter.kind && nameKey === starter.nameKey,
    )
    const parentId = typeof parent === 'object' ? parent.id : null
    const existing = named.find((row) => row.parentId === parentId) ?? named[0]
    planned.push(existing ? { existing } : { starter, parent })
  }
  return planned
}

const usable = <Row extends ExistingCategory>(row: Row): Row | undefined =>
  row.depth < MOST_DEPTH ? row : undefined
