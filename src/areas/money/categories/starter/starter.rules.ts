import { foldKey } from '../../../../domain/text.ts'
import { type CategoryKind, MOST_DEPTH, type Parent } from '../categories.rules.ts'
import { type Language, LANGUAGES, nameIn, type StarterKey } from './names.rules.ts'

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

const OWNERS = ['couple', 'family', 'retired'] as const
const EARNERS = ['single', 'couple', 'family', 'retired'] as const
const WORKERS = ['single', 'couple', 'family', 'student'] as const

const leaf = (key: StarterKey, icon: string, only?: readonly Household[]): Leaf =>
  only ? { key, icon, only } : { key, icon }

const BRANCHES: Branch[] = [
  {
    ...{ key: 'housing', kind: 'expense', icon: 'house', color: '#5d4037' },
    children: [
      leaf('rent', 'key'),
      leaf('mortgage', 'bank', OWNERS),
      leaf('energy', 'bolt'),
      leaf('water', 'droplet'),
      leaf('internet', 'wifi'),
      leaf('upkeep', 'wrench', OWNERS),
      leaf('furniture', 'sofa'),
    ],
  },
  {
    ...{ key: 'food', kind: 'expense', icon: 'utensils', color: '#2e7d32' },
    children: [
      leaf('groceries', 'basket'),
      leaf('restaurants', 'plate'),
      leaf('canteen', 'tray', ['student']),
      leaf('coffee', 'cup'),
    ],
  },
  {
    ...{ key: 'transport', kind: 'expense', icon: 'road', color: '#1565c0' },
    children: [
      leaf('transit', 'bus'),
      leaf('bicycle', 'bicycle', ['student']),
      leaf('fuel', 'fuel', EARNERS),
      leaf('car', 'car', EARNERS),
      leaf('carInsurance', 'shield', EARNERS),
      leaf('taxi', 'taxi'),
    ],
  },
  {
    ...{ key: 'health', kind: 'expense', icon: 'heart', color: '#c62828' },
    children: [
      leaf('doctor', 'stethoscope'),
      leaf('pharmacy', 'pill'),
      leaf('healthInsurance', 'shield'),
      leaf('care', 'hands', ['retired']),
      leaf('sport', 'dumbbell'),
    ],
  },
  {
    ...{ key: 'personal', kind: 'expense', icon: 'person', color: '#6a1b9a' },
    children: [
      leaf('clothing', 'shirt'),
      leaf('beauty', 'scissors'),
      leaf('gifts', 'gift'),
      leaf('donations', 'ribbon', EARNERS),
    ],
  },
  {
    ...{ key: 'leisure', kind: 'expense', icon: 'star', color: '#ef6c00' },
    children: [
      leaf('culture', 'ticket'),
      leaf('hobbies', 'palette'),
      leaf('subscriptions', 'repeat'),
    ],
  },
  {
    ...{ key: 'travel', kind: 'expense', icon: 'suitcase', color: '#00838f' },
    children: [leaf('tickets', 'plane'), leaf('lodging', 'bed')],
  },
  {
    ...{ key: 'children', kind: 'expense', icon: 'child', color: '#ad1457', only: ['family'] },
    children: [
      leaf('childcare', 'blocks'),
      leaf('school', 'school'),
      leaf('kidsThings', 'teddy'),
      leaf('kidsClubs', 'ball'),
      leaf('pocketMoney', 'coins'),
    ],
  },
  {
    ...{ key: 'studies', kind: 'expense', icon: 'book', color: '#283593', only: ['student'] },
    children: [leaf('tuition', 'school'), leaf('textbooks', 'pencil')],
  },
  {
    ...{ key: 'pets', kind: 'expense', icon: 'paw', color: '#795548', only: EARNERS },
    children: [leaf('petFood', 'bowl'), leaf('vet', 'stethoscope')],
  },
  {
    ...{ key: 'finance', kind: 'expense', icon: 'bank', color: '#455a64' },
    children: [
      leaf('bankFees', 'card'),
      leaf('insurance', 'umbrella'),
      leaf('taxes', 'receipt'),
      leaf('interestPaid', 'percent'),
    ],
  },
  { key: 'otherExpenses', kind: 'expense', icon: 'dots', color: '#757575', children: [] },
  {
    ...{ key: 'work', kind: 'income', icon: 'briefcase', color: '#2e7d32', only: WORKERS },
    children: [
      leaf('salary', 'wallet', ['single', 'couple', 'family']),
      leaf('bonus', 'star', ['single', 'couple', 'family']),
      leaf('sideJob', 'clock'),
    ],
  },
  {
    ...{ key: 'support', kind: 'income', icon: 'hands', color: '#1565c0' },
    children: [
      leaf('pension', 'wallet', ['retired']),
      leaf('scholarship', 'school', ['student']),
      leaf('family', 'people', ['student']),
      leaf('childBenefit', 'child', ['family']),
      leaf('benefits', 'bank'),
    ],
  },
  {
    ...{ key: 'capital', kind: 'income', icon: 'chart', color: '#00838f', only: EARNERS },
    children: [
      leaf('interest', 'percent'),
      leaf('dividends', 'coins'),
      leaf('rental', 'key', OWNERS),
    ],
  },
  {
    ...{ key: 'otherIncome', kind: 'income', icon: 'dots', color: '#757575' },
    children: [leaf('giftsReceived', 'gift'), leaf('taxRefund', 'receipt')],
  },
]

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
    const name = nameIn(language, key)
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
export interface Known extends Parent {
  nameKey: string
  parentId: string | null
}

/** The plan for a category of the set: it already exists, or it is created below another one or at the top level. */
export type Planned<Row> =
  | { existing: Row }
  | { starter: StarterCategory; parent: number | Row | undefined }

/**
 * Decides what of a set somebody lacks. A name that they have anywhere in its kind is not created again, and is the parent
 * of what stands below it in the set, unless it is too deep to be one.
 */
export function planOf<Row extends Known>(set: StarterCategory[], known: Row[]): Planned<Row>[] {
  const planned: Planned<Row>[] = []
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

const usable = <Row extends Known>(row: Row): Row | undefined =>
  row.depth < MOST_DEPTH ? row : undefined
