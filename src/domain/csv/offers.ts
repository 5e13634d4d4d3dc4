import { isAmountLike, isDateLike } from './cells.ts'
import { isRowLike } from './layout.ts'
import { amountOf, balancesProve, type Sides } from './proofs.ts'
import type { CsvRecord } from './records.ts'
import { Roles } from './roles.ts'
import { stateOf, summaryOf } from './words.ts'
import type { Columns } from './content.ts'

const MONEY = ['amount', 'debit', 'credit'] as const

/** Tells whether every row can be read with these columns, would be booked once, and follows from the balances. */
export function readsAll(columns: Columns, records: readonly CsvRecord[]): boolean {
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

function sidesOf({ amount, debit, credit }: Columns): Sides | undefined {
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
    amount: sides && amountOf(row, sides),
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

/** What words or fees decide, and several accounts, are not proved. */
function areBalanced(columns: Columns, rows: readonly CsvRecord[]): boolean {
  const [balance] = columns.balance ?? []
  const sides = sidesOf(columns)
  const isPlain = !columns.direction && !columns.fee && !columns.account
  const isProof = balance !== undefined && sides !== undefined && isPlain && rows.length > 1
  return !isProof || balancesProve(rows, balance, sides) || balancesProve(rows, balance, sides, -1)
}
