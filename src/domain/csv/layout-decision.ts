import type { Reading, ColumnRole } from '../bank-files/format.ts'
import { modalWidth } from './dialect.ts'
import {
  cellsOf,
  type ColumnKind,
  columnKinds,
  columnsByContent,
  saysDirections,
  type Columns,
} from './content.ts'
import {
  columnsNamed,
  columnsOutsideIdentity,
  correctColumns,
  findHeading,
  isRowLike,
} from './layout.ts'
import { isItemAmount } from './item-rows.ts'
import { readPreamble, type Preamble } from './preamble.ts'
import { columnsOfProfile, type BuiltInProfile } from './profiles/profile.ts'
import { profileNamed, builtInProfileFor } from './profiles/profiles.ts'
import type { CsvRecord } from './records.ts'
import { columnLists } from './row-values.ts'
import { directionInWord, foldHeading, stateOf, summaryOf } from './words.ts'
import { isAmountLike, isDateLike } from './cells.ts'
import { amountInColumns, balancesProve, type AmountColumns } from './proofs.ts'
import { Roles } from './roles.ts'

export interface Layout {
  headerLine: number
  skipLines: number
  headings: string[]
  columns: Columns
  /** Columns that are likely, where the headings do not say. */
  suggested?: Columns
  /** True if every row can be read with the suggested columns, and its balances fit. */
  isOffered: boolean
  /** The columns that nothing is read of. */
  unread: string[]
  /** The columns that were chosen and that the file does not have: their headings or numbers, as they were sent. */
  missing: string[]
  profile: BuiltInProfile | undefined
  outsideIdentity: number[]
  facts: Preamble
  shape: string[]
}

/** Tells whether there are columns for a date and an amount. */
export const hasRequiredColumns = (columns: Columns) =>
  columns.date !== undefined &&
  (columns.amount !== undefined || columns.debit !== undefined || columns.credit !== undefined)

const hasWords = ({ description, payee }: Columns) =>
  description !== undefined || payee !== undefined

/** Both sides of an amount leave no column for one of both. */
function suggestedFor(byContent: Columns, named: Columns, columns: Columns): Columns {
  const said = { ...named, ...columns }
  const isOfSides = said.debit !== undefined || said.credit !== undefined
  const suggested = { ...byContent, ...said }
  if (isOfSides && said.amount === undefined) {
    delete suggested.amount
  }
  return suggested
}

/** Tells whether a column should say the direction of amounts without signs, and has words that do not. */
function isUndirected({ direction = [], amount = [] }: Columns, rows: readonly CsvRecord[]) {
  const words = direction.flatMap((column) => cellsOf(rows, column))
  const isSigned = amount.some((column) => cellsOf(rows, column).some((cell) => /[-−(]/.test(cell)))
  return !isSigned && words.length > 0 && words.every((word) => directionInWord(word) === undefined)
}

/** Gives columns without a role the one that only their cells tell. */
function takeByContent(named: Columns, kinds: readonly ColumnKind[], rows: readonly CsvRecord[]) {
  const read = new Set(Object.values(named).flat())
  const left = kinds.flatMap((one, index) => (read.has(index) ? [] : [{ ...one, index }]))
  const currencies = left.filter(({ kind }) => kind === 'currency')
  // Amounts in a currency that nobody reads would be booked as those of the account.
  if (named.currency === undefined && currencies.length === 1) {
    named.currency = currencies.map(({ index }) => index)
  }
  const isDirected = named.direction !== undefined || named.debit !== undefined
  const direction = left.find(
    ({ kind, index }) => kind === 'text' && saysDirections(cellsOf(rows, index)),
  )
  if (!isDirected && direction) {
    named.direction = [direction.index]
  }
}

/** The columns that have cells, and no role: by their headings, or else by their numbers from 0. */
function unreadIn(
  columns: Columns,
  kinds: readonly ColumnKind[],
  headings: readonly string[],
): string[] {
  const read = new Set(Object.values(columns).flat())
  return kinds.flatMap(({ kind }, index) =>
    kind === 'empty' || read.has(index) || isItemAmount(headings[index] ?? '')
      ? []
      : [headings[index] || String(index)],
  )
}

function missingIn(
  chosen: Reading['columns'] = {},
  width: number,
  headings: readonly string[],
): string[] {
  const folded = new Set(headings.map(foldHeading))
  const isMissing = (name: string | number) =>
    typeof name === 'number' ? name >= width : !folded.has(foldHeading(name))
  return [...new Set(Object.values(chosen).flat())].filter(isMissing).map(String)
}

/** Decides on heading and columns by the first records. */
export function decideLayout(
  first: readonly CsvRecord[],
  known: Partial<Reading>,
  isNamed: boolean,
): Layout {
  const above = isNamed ? 1 : 0
  const index =
    known.headerLine === undefined
      ? (headingNaming(first, known) ?? findHeading(first))
      : first.findIndex(({ line }) => line === known.headerLine)
  const heading = first[index]
  const headings = heading?.cells ?? []
  const skipLines = known.skipLines ?? (heading ? heading.line : above)
  const rows = first.filter(
    ({ line, cells }) => line > skipLines && cells.length > 1 && line !== heading?.line,
  )
  const { width } = modalWidth(rows)
  // Records of other widths are lines between the rows.
  const usual = rows.filter(({ cells }) => cells.length === width)
  const kinds = columnKinds(usual, Math.max(width, headings.length))
  const profile = profileNamed(known.builtIn) ?? builtInProfileFor(headings)
  const named: Columns = profile ? columnsOfProfile(profile, headings) : columnsNamed(headings)
  const facts = readPreamble(first.slice(0, Math.max(index, 0)))
  if (!profile) {
    correctColumns(named, headings, rows, facts.iban)
    if (heading) {
      takeByContent(named, kinds, rows)
    }
  }
  const isAsked = !profile && isUndirected(named, rows)
  if (isAsked) {
    named.type ??= named.direction as number[]
    delete named.direction
  }
  const columns = known.columns ? columnLists(known.columns, headings) : named
  // A column that has a role has no other one.
  const taken = new Set([named, columns].flatMap((one) => Object.values(one).flat()))
  const left = kinds.map((one, index) =>
    taken.has(index) ? { ...one, kind: 'empty' as const, isMoney: false } : one,
  )
  const isThere = (list: number[]) => list.some((column) => column < kinds.length)
  const there = (Object.entries(columns) as [ColumnRole, number[]][]).filter(([, list]) =>
    isThere(list),
  )
  // Texts that no heading explains may be all that says what a row was.
  const isWordless =
    !known.columns &&
    !profile &&
    !hasWords(columns) &&
    left.some(({ kind }, index) => kind === 'text' && Boolean(headings[index]))
  const isOpen =
    isWordless ||
    (isAsked && !known.columns) ||
    !hasRequiredColumns(Object.fromEntries(there)) ||
    (!known.columns && !heading)
  const suggested = suggestedFor(columnsByContent(left, usual), named, columns)
  return {
    headerLine: heading?.line ?? 0,
    skipLines: heading ? 0 : skipLines,
    headings,
    columns,
    ...(isOpen && { suggested }),
    isOffered: isOpen && hasRequiredColumns(suggested) && readsAll(suggested, usual),
    unread: profile ? [] : unreadIn(columns, kinds, headings),
    missing: missingIn(known.columns, kinds.length, headings),
    profile,
    outsideIdentity: columnsOutsideIdentity(headings, kinds),
    facts,
    shape: heading ? headings.map(foldHeading) : kinds.map(({ kind }) => kind),
  }
}

/** The first record that contains every heading that names a column. */
function headingNaming(
  first: readonly CsvRecord[],
  { columns = {} }: Partial<Reading>,
): number | undefined {
  const names = Object.values(columns)
    .flat()
    .filter((name) => typeof name === 'string')
    .map(foldHeading)
  const index = first.findIndex(({ cells }) => {
    const headings = new Set(cells.map(foldHeading))
    return names.every((name) => headings.has(name))
  })
  return names.length === 0 || index === -1 ? undefined : index
}

const MONEY = ['amount', 'debit', 'credit'] as const

/** Tells whether every row can be read with these columns, would be booked once, and follows from the balances. */
function readsAll(columns: Columns, records: readonly CsvRecord[]): boolean {
  const roles = new Roles(columns)
  const rows = records.filter(
    ({ cells }) => isRowLike(columns, cells) && !cells.some((cell) => summaryOf(cell)),
  )
  const isRead = ({ cells }: CsvRecord) => {
    const day = roles.first(cells, 'date') || roles.first(cells, 'valueDate')
    const amounts = MONEY.map((role) => roles.first(cells, role)).filter(Boolean)
    const isDated = isDateLike(day) || stateOf(day) === 'pending'
    return isDated && amounts.length > 0 && amounts.every(isAmountLike)
  }
  return rows.every(isRead) && !hasParts(roles, rows, columns) && areBalanced(columns, rows)
}

function sidesOf({ amount, debit, credit }: Columns): AmountColumns | undefined {
  const [signed] = amount ?? []
  const [out, into] = [debit?.[0], credit?.[0]]
  if (out !== undefined && into !== undefined) {
    return { debit: out, credit: into }
  }
  return signed === undefined ? undefined : { amount: signed }
}

/** Two rows of a day that add up to the one above may be its parts. */
function hasParts(roles: Roles, rows: readonly CsvRecord[], columns: Columns): boolean {
  const sides = sidesOf(columns)
  const links = rows.map((row) => ({
    day: roles.first(row.cells, 'date'),
    amount: sides && amountInColumns(row, sides),
  }))
  return links.some(({ day, amount = 0 }, index) => {
    let sum = 0
    const following = links.slice(index + 1)
    const end = following.findIndex((one) => one.day !== day)
    const ofDay = end === -1 ? following : following.slice(0, end)
    return ofDay.some((one, at) => {
      sum += one.amount ?? 0
      return at > 0 && amount !== 0 && sum === amount
    })
  })
}

/**
 * True unless balances contradict the columns. Amounts that depend on words or fees, and files of several accounts,
 * are not proved.
 */
function areBalanced(columns: Columns, rows: readonly CsvRecord[]): boolean {
  const [balance] = columns.balance ?? []
  const sides = sidesOf(columns)
  const isPlain = !columns.direction && !columns.fee && !columns.account
  const isProof = balance !== undefined && sides !== undefined && isPlain && rows.length > 1
  return !isProof || balancesProve(rows, balance, sides) || balancesProve(rows, balance, sides, -1)
}
