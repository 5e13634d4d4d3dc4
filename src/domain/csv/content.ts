import type { ColumnRole } from '../bank-files/format.ts'
import { isAmountLike, isBlank, isCurrencyCode, kindOf, type CellKind } from './cells.ts'
import { balancesProve, unitsIn } from './proofs.ts'
import type { CsvRecord } from './records.ts'
import { directionInWord } from './words.ts'

/** The columns of each role, from 0. */
export type Columns = Partial<Record<ColumnRole, number[]>>

/** The cells of a column that are not empty. */
export const cellsOf = (rows: readonly CsvRecord[], column: number): string[] =>
  rows.flatMap(({ cells }) => {
    const cell = cells[column] ?? ''
    return isBlank(cell) ? [] : [cell]
  })

/** Tells whether cells are amounts, and not numbers of another kind. */
export const areMoney = (cells: readonly string[]): boolean =>
  cells.length > 0 && cells.every(isAmountLike) && cells.some((cell) => /[.,\-−(]/.test(cell))

export interface ColumnKind {
  kind: CellKind | 'currency' | 'counter'
  /** True if some amount in the column has a sign or a mark, which other kinds of numbers lack. */
  isMoney: boolean
}

/** Returns the kind of the cells of each column. */
export function columnKinds(rows: readonly CsvRecord[], width: number): ColumnKind[] {
  return Array.from({ length: width }, (_, column) => {
    const cells = cellsOf(rows, column)
    const kinds = new Set(cells.map(kindOf))
    const isMoney = areMoney(cells)
    const [only] = kinds
    if (only === undefined) {
      return { kind: 'empty', isMoney: false }
    }
    if (cells.every(isCurrencyCode)) {
      return { kind: 'currency', isMoney: false }
    }
    const first = Number(cells[0])
    const step = Number(cells[1]) - first
    const isCounter = rows.length > 2 && Math.abs(step) === 1
    if (isCounter && cells.every((cell, index) => cell === String(first + index * step))) {
      return { kind: 'counter', isMoney: false }
    }
    return { kind: kinds.size === 1 ? only : 'text', isMoney }
  })
}

/** Tells whether the words of a column say of each row whether money comes in or leaves, and some say each. */
export function saysDirections(cells: readonly string[]): boolean {
  const said = new Set(cells.map(directionInWord))
  return said.size === 2 && said.has('in') && said.has('out')
}

const pairsOf = (columns: readonly number[]) =>
  columns.flatMap((one) =>
    columns.flatMap((other) => (one === other ? [] : [[one, other] as const])),
  )

/** The amount and the balance after it, where the balance before it stands on the left of that. */
function amountBetween(amounts: readonly number[], rows: readonly CsvRecord[]) {
  const found = amounts.flatMap((before) =>
    amounts.flatMap((amount) => {
      const isOther = amount !== before && amount !== before + 1
      const isThere = isOther && amounts.includes(before + 1) && rows.length > 0
      const adds = ({ cells }: CsvRecord) =>
        (unitsIn(cells[before]) ?? NaN) + (unitsIn(cells[amount]) ?? NaN) ===
        unitsIn(cells[before + 1])
      return isThere && rows.every(adds) ? [[amount, before + 1] as const] : []
    }),
  )
  return found[0]
}

/**
 * Decides the roles of the columns of amounts. A single column is the amount. The roles of several columns are proved
 * by balances that follow from the others; without balances they stay open.
 */
function moneyColumns(amounts: readonly number[], rows: readonly CsvRecord[]): Columns {
  const [only, ...others] = amounts
  if (only === undefined) {
    return {}
  }
  if (others.length === 0) {
    return { amount: [only] }
  }
  const pairs = pairsOf(amounts)
  const [amount, balance] =
    amountBetween(amounts, rows) ??
    pairs.find(([one, after]) => balancesProve(rows, after, { amount: one })) ??
    pairs.find(([one, after]) => balancesProve(rows, after, { amount: one }, -1)) ??
    []
  if (amount !== undefined && balance !== undefined) {
    return { amount: [amount], balance: [balance] }
  }
  for (const [debit, credit] of pairs) {
    const isEither = rows.every(
      ({ cells }) => isBlank(cells[debit] as string) !== isBlank(cells[credit] as string),
    )
    const after = amounts.find(
      (column) =>
        isEither &&
        column !== debit &&
        column !== credit &&
        balancesProve(rows, column, { debit, credit }),
    )
    if (after !== undefined) {
      return { debit: [debit], credit: [credit], balance: [after] }
    }
  }
  return {}
}

/** Guesses the roles of columns without headings, for the user to confirm. */
export function columnsByContent(
  kinds: readonly ColumnKind[],
  rows: readonly CsvRecord[],
): Columns {
  const of = (test: (kind: ColumnKind) => boolean) =>
    kinds.flatMap((kind, index) => (test(kind) ? [index] : []))
  const dates = of(({ kind }) => kind === 'date')
  const texts = of(({ kind }) => kind === 'text')
  const direction = texts.find((column) => saysDirections(cellsOf(rows, column)))
  const columns: Columns = {}
  const give = (role: ColumnRole, found: number[]) => {
    if (found.length > 0) {
      columns[role] = found
    }
  }
  give('date', dates.slice(0, 1))
  give('valueDate', dates.slice(1, 2))
  Object.assign(
    columns,
    moneyColumns(
      of(({ isMoney }) => isMoney),
      rows,
    ),
  )
  give('direction', direction === undefined ? [] : [direction])
  give('currency', of(({ kind }) => kind === 'currency').slice(0, 1))
  give(
    'description',
    texts.filter((column) => column !== direction),
  )
  return columns
}
