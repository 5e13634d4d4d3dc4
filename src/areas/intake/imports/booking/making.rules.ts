import { foldKey } from '../../../../domain/text.ts'
import { type AccountType, isIban } from '../../../money/accounts/accounts.public.ts'
import type { SourceAccount } from '../../../../domain/bank-files/source.ts'
import { addCounts, noRows, type RowCounts } from '../../../../domain/imports/counts.ts'
import type { Verdict } from '../../../../domain/imports/verdicts.ts'
import { type Mapping, countsFrom } from '../imports.rules.ts'

// Accounts and categories that a file names, and that the commit makes.

/** The value in a mapping for an account or a category that the commit creates. */
export const CREATE = 'create'
/** The key of the mapping for all categories of the file that no other key names. */
export const ANY_CATEGORY = '*'

const TYPES: Record<string, AccountType> = {
  ...{ cacc: 'checking', svgs: 'savings', card: 'creditCard' },
  ...{ checking: 'checking', bank: 'checking', savings: 'savings', moneymrkt: 'savings' },
  ...{ cash: 'cash', ccard: 'creditCard', creditcard: 'creditCard', creditline: 'lineOfCredit' },
  ...{
    lineofcredit: 'lineOfCredit',
    mortgage: 'mortgage',
    invst: 'investment',
    investment: 'investment',
    port: 'investment',
  },
  ...{ loan: 'loan', property: 'property', vehicle: 'vehicle', receivable: 'receivable' },
  ...{ investmentaccount: 'investment', autoloan: 'loan', studentloan: 'loan' },
  ...{ personalloan: 'loan', medicaldebt: 'otherLiability', otherdebt: 'otherLiability' },
  ...{ otha: 'otherAsset', otherasset: 'otherAsset', asset: 'otherAsset', paypal: 'checking' },
  ...{ othl: 'otherLiability', otherliability: 'otherLiability', liability: 'otherLiability' },
}

/** The type of an account, by the word of the program that wrote the file; undefined of a word that is not known. */
export const accountTypeOf = (word = ''): AccountType | undefined => {
  const key = word.toLowerCase().replaceAll(/[^a-z]/g, '')
  return Object.hasOwn(TYPES, key) ? TYPES[key] : undefined
}

const MOST_NAME = 100

/** A name as accounts and categories may have it; empty where nothing of it can be seen. */
function nameFrom(text: string): string {
  const cut = text
    .slice(0, MOST_NAME)
    .toWellFormed()
    .replace(/\ufffd$/, '')
  return foldKey(cut) === '' ? '' : cut.replaceAll('\u0000', '').trim()
}

/** Returns the name, type and numbers of the file for an account to create. */
export function particularsOf({ key, name, iban, number, bank, type }: SourceAccount) {
  const plain = (iban ?? '').replaceAll(/\s/g, '').toUpperCase()
  const shown = [name, iban, number, key].map((one) => nameFrom(one ?? '')).find(Boolean)
  const institution = nameFrom(bank ?? '')
  return {
    name: shown ?? 'Account',
    type: accountTypeOf(type) ?? ('checking' as const),
    ...(isIban(plain) ? { iban: plain } : {}),
    ...(number === undefined ? {} : { number }),
    ...(institution === '' ? {} : { institution }),
  }
}

/** The name, or the first that is free with a number behind it. It is taken from then on. */
export function freeNameAmong(name: string, taken: Set<string>): string {
  for (let n = 1; ; n++) {
    const tail = n === 1 ? '' : ` ${n}`
    const one = `${name.slice(0, MOST_NAME - tail.length).trimEnd()}${tail}`
    if (!taken.has(foldKey(one))) {
      taken.add(foldKey(one))
      return one
    }
  }
}

const MOST_DEPTH = 5

/** The names of a path from the top: what lies too deep is one name. */
export function levelsOf(path: string[]): string[] {
  const names = path.map(nameFrom).filter((name) => name !== '')
  return names.length <= MOST_DEPTH
    ? names
    : [...names.slice(0, MOST_DEPTH - 1), nameFrom(pathText(names.slice(MOST_DEPTH - 1)))]
}

/** A path of the file, with whether money left under it. */
export interface UsedPath {
  path: string[]
  isExpense: boolean
}

/** The paths that are to be made, by the mapping. */
export function pathsToMake(
  used: UsedPath[],
  rows: OwnedCategory[],
  ownerId: string,
  mapping: Mapping['categoryMap'] = {},
): UsedPath[] {
  const index = categoryIndex(rows)
  const unknown = ({ path, isExpense }: UsedPath) =>
    index.find(path, { kind: isExpense ? 'expense' : 'income', ownerId, mapping }) === null
  return used.filter((one) => {
    const key = pathText(one.path)
    const wanted = Object.hasOwn(mapping, key) ? mapping[key] : undefined
    const isAny = wanted === undefined && mapping[ANY_CATEGORY] === CREATE
    return wanted === CREATE || (isAny && unknown(one))
  })
}

/** A category that is there, archived or not. */
export interface KnownCategory extends Omit<OwnedCategory, 'ownerId'> {
  archived: boolean
  depth: number
}

type Kind = KnownCategory['kind']

/** A category to make, under one that is there or one that is made before it. */
export type Making = Pick<KnownCategory, 'id' | 'name' | 'kind' | 'parentId' | 'depth'>

/**
 * The categories that are missing for paths, parents first, and the category of each path. A tree is of expenses where
 * money left under any of its paths. A path that ends at an archived category gets none.
 */
export function treeFor(
  wanted: UsedPath[],
  known: KnownCategory[],
  newId: () => string,
): { made: Making[]; idOf: Map<string, string> } {
  const made: Making[] = []
  const idOf = new Map<string, string>()
  const spending = new Set(
    wanted.filter(({ isExpense }) => isExpense).map(({ path }) => foldKey(levelsOf(path)[0] ?? '')),
  )
  const placeOf = (parentId: string | null, kind: Kind, name: string) =>
    `${parentId ?? kind} ${foldKey(name)}`
  const there = new Map<string, Making & { archived?: boolean }>(
    known.map((one) => [placeOf(one.parentId, one.kind, one.name), one]),
  )
  for (const { path } of wanted) {
    const names = levelsOf(path)
    const [top = ''] = names
    // An income may have a category of expenses, as a refund.
    const isExpense =
      spending.has(foldKey(top)) ||
      (there.has(placeOf(null, 'expense', top)) && !there.has(placeOf(null, 'income', top)))
    const kind: Kind = isExpense ? 'expense' : 'income'
    let leaf: (Making & { archived?: boolean }) | undefined
    for (const name of names) {
      const parentId: string | null = leaf?.id ?? null
      const place = placeOf(parentId, kind, name)
      const depth: number = (leaf?.depth ?? 0) + 1
      leaf = there.get(place)
      if (!leaf) {
        leaf = { id: newId(), name, kind, parentId, depth }
        there.set(place, leaf)
        made.push(leaf)
      }
    }
    if (leaf && leaf.archived !== true) {
      idOf.set(pathText(path), leaf.id)
    }
  }
  return { made, idOf }
}

/** A category that somebody owns on whose accounts the caller books. */
export interface OwnedCategory {
  id: string
  ownerId: string
  parentId: string | null
  name: string
  kind: 'expense' | 'income'
}

/** The conditions that a category must meet. */
export interface CategoryWish {
  kind: 'expense' | 'income'
  ownerId: string
  mapping: Record<string, string> | undefined
}

/** Finds categories by what files call them. */
export interface CategoryIndex {
  /** Finds a category of one owner by the mapping, else by the whole path, else by the last name where that is the only one. */
  find: (path: string[], about: CategoryWish) => string | null
  /** The ids of the categories of the kind `expense`. */
  expenseIds: ReadonlySet<string>
}

export const pathText = (path: string[]): string => path.join(' / ')

/** Tells whether the commit creates a category of the file. */
export const isMade = (path: string[], categoryMap: Mapping['categoryMap'] = {}): boolean =>
  (categoryMap[pathText(path)] ?? categoryMap[ANY_CATEGORY]) === CREATE

/** Finds categories as the commit will: `create` stands for those of this owner that it creates. */
export const foreseenCategories = (index: CategoryIndex, ownerId: string): CategoryIndex => ({
  ...index,
  find: (path, wish) =>
    index.find(path, wish) ??
    (wish.ownerId === ownerId && isMade(path, wish.mapping) ? CREATE : null),
})

export function categoryIndex(rows: OwnedCategory[]): CategoryIndex {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const pathOf = ({ name, parentId }: OwnedCategory): string => {
    const parent = parentId === null ? undefined : byId.get(parentId)
    return parent ? `${pathOf(parent)} / ${name}` : name
  }
  const byPath = Map.groupBy(rows, (row) => `${row.ownerId} ${foldKey(pathOf(row))}`)
  const byName = Map.groupBy(rows, ({ ownerId, name }) => `${ownerId} ${foldKey(name)}`)
  // An expense has no category of incomes; an income may have one of expenses, as a refund.
  const fits = (kind: string) => (row: OwnedCategory) => kind === 'income' || row.kind === 'expense'
  const best = (found: OwnedCategory[] = [], kind: string) => {
    const usable = found.filter(fits(kind))
    return usable.find((row) => row.kind === kind) ?? usable[0]
  }
  return {
    expenseIds: new Set(rows.filter(({ kind }) => kind === 'expense').map(({ id }) => id)),
    find: (path, { kind, ownerId, mapping = {} }) => {
      const key = pathText(path)
      const mapped = byId.get((Object.hasOwn(mapping, key) && mapping[key]) || '')
      if (mapped?.ownerId === ownerId) {
        return fits(kind)(mapped) ? mapped.id : null
      }
      const whole = best(byPath.get(`${ownerId} ${foldKey(key)}`), kind)
      if (whole) {
        return whole.id
      }
      const named = (byName.get(`${ownerId} ${foldKey(path.at(-1) ?? '')}`) ?? []).filter(
        fits(kind),
      )
      return named.length === 1 ? (named[0]?.id ?? null) : null
    },
  }
}

/** The verdicts of rows that a commit books or changes. */
const WANTED = ['new', 'matched', 'updated', 'transfer'] as const

/** A piece with the stored counts of its rows. */
interface Piece {
  number: number
  counts: string
}

/** The rows of a piece that was not booked: what was to be done with them is skipped. */
function untouched(counts: RowCounts): RowCounts {
  const next = { ...counts }
  for (const verdict of WANTED) {
    next.skipped += next[verdict]
    next[verdict] = 0
  }
  return next
}

/** The counts of a commit that was cancelled. */
export interface Stopped {
  counts: RowCounts
  /** The pieces that were not booked. Pieces are booked in the order of the file, or from its end. */
  untouched: { number: number; counts: RowCounts }[]
}

export function countsOfStopped(
  { nextChunk, backwards }: { nextChunk: number; backwards: boolean },
  chunks: Piece[],
): Stopped {
  const isDone = ({ number }: Piece) =>
    backwards ? number >= chunks.length - nextChunk : number < nextChunk
  const left = chunks
    .filter((chunk) => !isDone(chunk))
    .map(({ number, counts }) => ({ number, counts: untouched(countsFrom(counts)) }))
  const done = chunks.filter(isDone).map(({ counts }) => countsFrom(counts))
  return {
    counts: [...done, ...left.map(({ counts }) => counts)].reduce(addCounts, noRows()),
    untouched: left,
  }
}

/** Tells whether a row was to be booked, but the commit was cancelled before: its piece counts no such row any more. */
export const isStopped = (state: string, verdict: Verdict, counts: RowCounts): boolean =>
  STOPPED.has(state) && WANTED.some((wanted) => wanted === verdict) && counts[verdict] === 0

/** The states of an import that was cancelled, or taken back after that. */
const STOPPED: ReadonlySet<string> = new Set(['cancelled', 'reverting', 'reverted'])
