import type { ColumnRole } from '../bank-files/format.ts'
import { isAmountLike, isBlank, isCurrencyCode, isDateLike, kindOf } from './cells.ts'
import { areMoney, cellsOf, type ColumnKind, type Columns } from './content.ts'
import { looksLikeIban } from './preamble.ts'
import type { CsvRecord } from './records.ts'
import { balancesProve } from './proofs.ts'
import { directionInWord, foldHeading, readHeading } from './words.ts'

/** Roles of which several columns are joined. */
const JOINED: ReadonlySet<ColumnRole> = new Set([
  'description',
  'note',
  'category',
  'tags',
  'reference',
])

/** Roles whose cells change without the booking being another one; they are not part of its identity. */
const NOT_IDENTITY: ReadonlySet<ColumnRole> = new Set([
  'date',
  'valueDate',
  'time',
  'amount',
  'debit',
  'credit',
  'fee',
  'balance',
  'currency',
  'originalAmount',
  'originalCurrency',
  'rate',
  'state',
  'category',
  'tags',
  'note',
])

const isMoney = (role: ColumnRole | undefined) =>
  role === 'amount' || role === 'debit' || role === 'credit'

const MONEY = ['amount', 'debit', 'credit'] as const
const DATES = ['date', 'valueDate'] as const

/** Tells whether a record is a row, because it has a date or an amount. */
export function isRowLike(columns: Columns, cells: readonly string[]): boolean {
  const cell = (role: ColumnRole) => cells[(columns[role] ?? [])[0] ?? -1] ?? ''
  return MONEY.some((role) => cell(role) !== '') || DATES.some((role) => isDateLike(cell(role)))
}

/** Returns the position of the heading among the first records; -1 if there is none. */
export function findHeading(records: readonly CsvRecord[]): number {
  const roles = records.map(({ cells }) => cells.map((cell) => readHeading(cell).role))
  const complete = roles.findIndex(
    (row) => row.some((role) => role === 'date' || role === 'valueDate') && row.some(isMoney),
  )
  if (complete !== -1) {
    return complete
  }
  const known = roles.findIndex(
    (row, index) =>
      row.filter((role) => role !== undefined).length >= 2 &&
      !records[index]?.cells.some((cell) => kindOf(cell) === 'date'),
  )
  return known === -1 ? findUnknownHeading(records) : known
}

/** Words above five records that each have a date and an amount. */
function findUnknownHeading(records: readonly CsvRecord[]): number {
  return records.findIndex(({ cells }, index) => {
    const below = records.slice(index + 1, index + 6)
    return (
      cells.length > 1 &&
      below.length === 5 &&
      cells.every((cell) => kindOf(cell) === 'text') &&
      below.every((row) => {
        const kinds = row.cells.map(kindOf)
        return kinds.includes('date') && kinds.includes('amount')
      })
    )
  })
}

/** The columns that the headings name. */
export function columnsNamed(headings: readonly string[]): Columns {
  const found = headings
    .map((cell, index) => ({ index, ...readHeading(cell) }))
    .filter(({ role }) => role !== undefined)
    .toSorted((a, b) => (a.rank as number) - (b.rank as number) || a.index - b.index)
  const columns: Columns = {}
  const give = (role: ColumnRole, index: number) => {
    columns[role] = [...(columns[role] ?? []), index]
  }
  for (const { role, index } of found as { role: ColumnRole; index: number }[]) {
    if (columns[role] === undefined || JOINED.has(role)) {
      give(role, index)
    } else if (role === 'date' && columns.valueDate === undefined) {
      give('valueDate', index)
    } else if (role === 'payee') {
      give('description', index)
    } else if (role === 'account' && columns.counterAccount === undefined) {
      give('counterAccount', index)
    }
  }
  for (const joined of JOINED) {
    columns[joined]?.sort((a, b) => a - b)
  }
  return columns
}

/** Amounts may stand where a heading announces words for their direction, and what is called amount is the balance then. */
function takeNumbersAsAmounts(columns: Columns, rows: readonly CsvRecord[]): void {
  const [column] = columns.direction ?? []
  if (column === undefined || !areMoney(cellsOf(rows, column))) {
    return
  }
  const [other] = columns.amount ?? []
  const filled = rows.filter(({ cells }) => !isBlank(cells[column] ?? ''))
  if (other !== undefined && balancesProve(filled, other, { amount: column })) {
    columns.balance ??= [other]
  }
  columns.amount = [column]
  delete columns.direction
}

const move = (columns: Columns, from: ColumnRole, to: ColumnRole) => {
  columns[to] ??= columns[from] as number[]
  delete columns[from]
}

/**
 * Tells whether a column of accounts is of those on the other side: the lines above name the own IBAN, which is not in it, or
 * it is called by nothing but the word and has several, or none for some rows.
 */
function isOfOthers(
  heading: string,
  column: number,
  rows: readonly CsvRecord[],
  ownIban: string | undefined,
): boolean {
  const cells = cellsOf(rows, column)
  const different = new Set(cells)
  if (ownIban !== undefined && cells.some(looksLikeIban)) {
    // A heading that comes again begins the rows of another account.
    const isOfOne = !different.has(heading)
    return isOfOne && cells.some((cell) => cell.replaceAll(/\s/g, '') !== ownIban)
  }
  const isGap = ({ cells: row }: CsvRecord) =>
    row[column] === '' && row.some(isDateLike) && row.some(isAmountLike)
  return foldHeading(heading) === 'iban' && (different.size > 2 || rows.some(isGap))
}

/** Corrects what headings say by what stands below: some words mean two things. */
export function correctColumns(
  columns: Columns,
  headings: readonly string[],
  rows: readonly CsvRecord[],
  ownIban?: string,
) {
  const cells = (role: ColumnRole) => {
    const [column] = columns[role] ?? []
    return column === undefined ? [] : cellsOf(rows, column)
  }
  const all = (role: ColumnRole, test: (cell: string) => boolean) =>
    cells(role).length > 0 && cells(role).every(test)
  // `Valuta` is the value date in German, and the currency in Danish, Swedish and Italian.
  if (all('valueDate', isCurrencyCode)) {
    move(columns, 'valueDate', 'currency')
  }
  if (all('rate', isCurrencyCode)) {
    move(columns, 'rate', 'originalCurrency')
  }
  takeNumbersAsAmounts(columns, rows)
  // A bank may have columns for each currency of its accounts.
  for (const role of MONEY) {
    const filled = headings.findIndex(
      (heading, index) => readHeading(heading).role === role && cellsOf(rows, index).length > 0,
    )
    if (columns[role] !== undefined && cells(role).length === 0 && filled !== -1) {
      columns[role] = [filled]
    }
  }
  const hasSides = columns.debit !== undefined && columns.credit !== undefined
  if (hasSides) {
    delete columns.amount
  } else if (columns.amount !== undefined) {
    delete columns.debit
    delete columns.credit
  }
  if (
    !hasSides &&
    columns.direction === undefined &&
    all('type', (cell) => directionInWord(cell) !== undefined)
  ) {
    move(columns, 'type', 'direction')
  }
  const [account] = columns.account ?? []
  if (account !== undefined && isOfOthers(headings[account] as string, account, rows, ownIban)) {
    move(columns, 'account', 'counterAccount')
  }
  if (columns.date === undefined && columns.valueDate !== undefined) {
    move(columns, 'valueDate', 'date')
  }
}

/**
 * The columns that are no part of the text which identifies a row: by their headings, and of headings that are not
 * known and columns without one, by their kind. How the user maps them does not matter.
 */
export function columnsOutsideIdentity(
  headings: readonly string[],
  kinds: readonly ColumnKind[],
): number[] {
  return kinds.flatMap(({ kind, isMoney }, index) => {
    const role = readHeading(headings[index] ?? '').role
    const isOutside =
      role === undefined
        ? kind === 'date' || kind === 'currency' || kind === 'counter' || isMoney
        : NOT_IDENTITY.has(role)
    return isOutside ? [index] : []
  })
}
