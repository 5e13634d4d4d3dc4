import { type Condition, valuesOf } from '../../../domain/conditions/conditions.ts'
import type { LineTerm } from '../../../domain/conditions/line.ts'
import type { Permission } from '../../../domain/permissions.ts'
import { searchKey } from '../../../domain/search-key.ts'

/** The kinds of hits, in the order of the answer, each with the permission that it needs. */
export const SEARCH_PERMISSIONS = {
  account: 'accounts.read',
  payee: 'payees.read',
  category: 'categories.read',
  tag: 'tags.read',
  recurring: 'recurring.read',
  transaction: 'transactions.read',
  attachment: 'attachments.read',
} as const satisfies Record<string, Permission>

export type SearchKind = keyof typeof SEARCH_PERMISSIONS

export const SEARCH_KINDS = Object.keys(SEARCH_PERMISSIONS) as [SearchKind, ...SearchKind[]]

/** Words that are looked for in names. */
export interface SearchedWords {
  /** The key of all of them together. */
  key: string
  /** The key of each word, or of each text in quotes. */
  words: string[]
}

/** The words of a line; undefined if it has fields, alternatives or minus signs, which names know nothing of. */
export function wordsIn(terms: LineTerm[]): SearchedWords | undefined {
  const words = terms.flatMap(({ isNegated, conditions, labels }) =>
    isNegated || labels || conditions.length > 1 ? [] : conditions.flatMap(wordIn),
  )
  return words.length === terms.length ? { key: words.join(' '), words } : undefined
}

const wordIn = (condition: Condition): string[] =>
  'field' in condition && condition.field === 'text' ? valuesOf(condition).map(searchKey) : []

/** Something with a name that may be found. */
export interface NamedThing {
  id: string
  name: string
  archived: boolean
  /** Text that distinguishes it from others of the same name. */
  detail: string | null
  /** Other names by which it is found, such as aliases; each is the detail of what is found by it. */
  aliases?: string[]
  /** The names above it, with its own. It is found by these after all that is found by its name. */
  path?: string[]
}

export type NameHit = Pick<NamedThing, 'id' | 'name' | 'archived' | 'detail'>

/** The rank of a text: 0 has the same key, 3 has the words as parts, and a higher one does not fit. */
function fitOf(text: string, { key, words }: SearchedWords): number {
  const found = searchKey(text)
  if (!words.every((word) => found.includes(word))) {
    return Infinity
  }
  if (found.startsWith(key)) {
    return found === key ? 0 : 1
  }
  return words.every((word) => ` ${found}`.includes(` ${word}`)) ? 2 : 3
}

function bestFit({ name, aliases = [], path = [], detail }: NamedThing, words: SearchedWords) {
  const fits = [name, ...aliases].map((text) => fitOf(text, words))
  const best = Math.min(...fits)
  const alias = aliases[fits.indexOf(best) - 1]
  return best === Infinity
    ? { fit: fitOf(path.join(' '), words) === Infinity ? Infinity : 4, detail }
    : { fit: best, detail: alias ?? detail }
}

/** The things whose names have all words, the best first. */
export function namesFound(things: NamedThing[], words: SearchedWords): NameHit[] {
  return things
    .map((thing) => ({ thing, ...bestFit(thing, words) }))
    .filter(({ fit }) => fit < Infinity)
    .toSorted(
      (a, b) =>
        a.fit - b.fit ||
        Number(a.thing.archived) - Number(b.thing.archived) ||
        a.thing.name.length - b.thing.name.length ||
        (a.thing.name < b.thing.name ? -1 : Number(a.thing.name > b.thing.name)),
    )
    .map(({ thing: { id, name, archived }, detail }) => ({ id, name, archived, detail }))
}
