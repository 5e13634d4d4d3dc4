import type { ColumnRole } from '../bank-files/format.ts'
import { isBlank } from './cells.ts'
import type { Columns } from './content.ts'

/** Joins with one space what is not empty, equal texts once. */
export const joinDistinct = (parts: string[]): string =>
  parts.length < 2 ? (parts[0] ?? '') : [...new Set(parts)].join(' ')

/** The account that a row names, without a quote that lacks its other one; undefined where no column does. */
export function accountCell(cells: readonly string[], columns: Columns): string | undefined {
  const cell = cells[columns.account?.[0] ?? -1]
  if (cell === undefined) {
    return undefined
  }
  return isBlank(cell) ? '' : cell.replace(/^"|"$/g, '')
}

/** Finds the cells of a row by the role of their columns. */
export class Roles {
  readonly #columns: Columns

  constructor(columns: Columns) {
    this.#columns = columns
  }

  /** The cell of the first column of a role; empty where there is none. A dash is a word of a direction only. */
  first(cells: readonly string[], role: ColumnRole): string {
    const column = this.#columns[role]?.[0]
    const cell = column === undefined ? '' : (cells[column] ?? '')
    return role !== 'direction' && isBlank(cell) ? '' : cell
  }

  /** The cells of all columns of a role that are not empty. */
  texts(cells: readonly string[], role: ColumnRole): string[] {
    const found: string[] = []
    for (const column of this.#columns[role] ?? []) {
      const cell = cells[column]
      if (cell !== undefined && !isBlank(cell)) {
        found.push(cell)
      }
    }
    return found
  }
}
