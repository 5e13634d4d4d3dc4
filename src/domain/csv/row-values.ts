import { cleanAmount, decimalUnder } from '../bank-files/amounts.ts'
import {
  absoluteDecimal,
  decimalsOf,
  isNegativeDecimal,
  negateDecimal,
  sumDecimals,
  type DecimalText,
} from '../bank-files/decimals.ts'
import type { ColumnName, Reading, Role } from '../bank-files/format.ts'
import type { IgnoredReason, RowError, RowErrorCode } from '../bank-files/source.ts'
import { findCurrency } from '../currency.ts'
import type { Columns } from './layout.ts'
import { directionOf, foldHeading } from './words.ts'

const MAX_SHOWN = 100

/** A cell as an error shows it. */
export const shown = (cell: string): string =>
  cell.length > MAX_SHOWN ? `${cell.slice(0, MAX_SHOWN)}…` : cell

/** The columns of a reading as lists of indexes. A heading that the file does not have is left out. */
export function columnLists(
  columns: Reading['columns'] = {},
  headings: readonly string[] = [],
): Columns {
  const lists: Columns = {}
  const folded = headings.map(foldHeading)
  const indexOf = (name: ColumnName) => {
    const index = typeof name === 'number' ? name : folded.indexOf(foldHeading(name))
    return index === -1 ? [] : [index]
  }
  for (const [role, value] of Object.entries(columns) as [Role, ColumnName | ColumnName[]][]) {
    const list = [value].flat().flatMap(indexOf)
    if (list.length > 0) {
      lists[role] = list
    }
  }
  return lists
}

const MESSAGES = {
  'money.malformed': 'is no amount.',
  amountStyleMixed: 'has another decimal mark than the other amounts.',
} as const

export interface MoneyFound {
  amount?: DecimalText
  currency?: string
  ignored?: IgnoredReason
  errors: RowError[]
}

type Cell = (role: Role) => string

/** Reads the amounts of rows: one signed column, two columns, or an amount and a word that says its direction. */
export function moneyReader(reading: Reading, columns: Columns, headings: readonly string[]) {
  const mark = reading.decimal ?? '.'
  const titleOf = (role: Role) => {
    const heading = headings[(columns[role] ?? [])[0] ?? -1]
    return heading ? { column: heading } : {}
  }
  const hasSides = columns.debit !== undefined || columns.credit !== undefined

  function read(role: Role, text: string, found: MoneyFound): DecimalText | undefined {
    const clean = cleanAmount(text)
    const result = clean ? decimalUnder(clean, mark) : { error: 'money.malformed' as const }
    if ('error' in result) {
      found.errors.push({
        code: result.error,
        ...titleOf(role),
        message: `"${shown(text)}" ${MESSAGES[result.error]}`,
      })
      return undefined
    }
    if (clean?.currency !== undefined) {
      found.currency ??= clean.currency
    }
    return result.amount
  }

  function fromSides(cell: Cell, found: MoneyFound): DecimalText | undefined {
    const [debitText, creditText] = [cell('debit'), cell('credit')]
    const debit = debitText === '' ? '0' : read('debit', debitText, found)
    const credit = creditText === '' ? '0' : read('credit', creditText, found)
    if (debit === undefined || credit === undefined) {
      return undefined
    }
    if (debit !== '0' && credit !== '0') {
      const message = `The row has an amount in both columns: "${shown(debitText)}" and "${shown(creditText)}".`
      found.errors.push({ code: 'bothSides', ...titleOf('debit'), message })
      return undefined
    }
    if (debitText === '' && creditText === '') {
      return missing(found, 'debit')
    }
    return debit === '0' ? credit : negateDecimal(absoluteDecimal(debit))
  }

  function missing(found: MoneyFound, role: Role): undefined {
    const code: RowErrorCode = 'amountMissing'
    found.errors.push({ code, ...titleOf(role), message: 'The row has no amount.' })
  }

  function fromDirection(amount: DecimalText, word: string, found: MoneyFound): DecimalText {
    const direction = word === '' ? 'in' : directionOf(word)
    if (direction === undefined || direction === 'neutral') {
      found.ignored = 'neutral'
      return amount
    }
    return direction === 'out' ? negateDecimal(amount) : amount
  }

  function signed(cell: Cell, found: MoneyFound): DecimalText | undefined {
    const text = cell('amount')
    // Two columns decide, and one amount where neither is filled.
    if (hasSides && (text === '' || cell('debit') !== '' || cell('credit') !== '')) {
      return fromSides(cell, found)
    }
    if (text === '') {
      return missing(found, 'amount')
    }
    const amount = read('amount', text, found)
    return amount !== undefined && columns.direction
      ? fromDirection(amount, cell('direction'), found)
      : amount
  }

  return {
    /** The amount of a row, without its fee. */
    amountOf(cell: Cell): MoneyFound {
      const found: MoneyFound = { errors: [] }
      const amount = signed(cell, found)
      if (amount !== undefined) {
        found.amount = reading.sign === 'reversed' ? negateDecimal(amount) : amount
      }
      return found
    },
    /** An amount that only tells more of a row; nothing where it cannot be read. */
    information(text: string): DecimalText | undefined {
      return text === '' ? undefined : read('amount', text, { errors: [] })
    },
  }
}

/** More digits than the currency has, which are no zeros. */
export function tooManyDigits(
  amount: DecimalText,
  currency: string | undefined,
): RowError | undefined {
  const digits = currency === undefined ? undefined : findCurrency(currency)?.minorDigits
  const given = decimalsOf(amount)
  if (digits === undefined || given <= digits) {
    return undefined
  }
  const message = `An amount in ${currency} has at most ${digits} decimals, but this one has ${given}.`
  return { code: 'money.tooManyDigits', message }
}

/** The parts of a row whose fee is booked beside its amount; its sum is theirs. */
export function withFee(
  amount: DecimalText,
  fee: DecimalText | undefined,
  rule: Reading['fee'],
): { amount: DecimalText; parts: { amount: DecimalText; fee?: true }[] } {
  if (fee === undefined || fee === '0' || rule === undefined || rule === 'inside') {
    return { amount, parts: [] }
  }
  const signed = rule === 'plus' ? fee : isNegativeDecimal(fee) ? fee : negateDecimal(fee)
  const parts = amount === '0' ? [] : [{ amount }, { amount: signed, fee: true as const }]
  return { amount: sumDecimals([amount, signed]), parts }
}
