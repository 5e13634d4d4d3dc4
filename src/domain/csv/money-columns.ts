import { cleanAmount, currencyIn, decimalOfAnyStyle, decimalUnder } from '../bank-files/amounts.ts'
import { absoluteDecimal, negateDecimal, type DecimalText } from '../bank-files/decimals.ts'
import type { Reading, ColumnRole } from '../bank-files/format.ts'
import type { IgnoredReason, RowError, SourceRow } from '../bank-files/source.ts'
import { findCurrency } from '../currency.ts'
import type { Roles } from './roles.ts'
import { shownCell, tooManyDigits, withFee } from './row-values.ts'
import { directionInWord, readHeading } from './words.ts'
import type { Columns } from './content.ts'

const MESSAGES = {
  'money.malformed': 'is no amount.',
  amountStyleMixed: 'has another decimal mark than the other amounts.',
} as const

interface MoneyFound {
  amount?: DecimalText
  currency?: string
  ignored?: IgnoredReason
  errors: RowError[]
}

type Cell = (role: ColumnRole) => string

/** Reads the amounts of rows: one signed column, two columns, or an amount and a word that says its direction. */
export class MoneyColumns {
  readonly #reading: Reading
  readonly #columns: Columns
  readonly #headings: readonly string[]
  readonly #roles: Roles
  readonly #hasSides: boolean
  readonly #headingCurrency: string | undefined

  constructor(reading: Reading, columns: Columns, headings: readonly string[], roles: Roles) {
    this.#reading = reading
    this.#columns = columns
    this.#headings = headings
    this.#roles = roles
    this.#hasSides = columns.debit !== undefined || columns.credit !== undefined
    const [column] = columns.amount ?? columns.debit ?? columns.credit ?? []
    this.#headingCurrency =
      column === undefined ? undefined : readHeading(headings[column] ?? '').currency
  }

  set(row: SourceRow, cells: readonly string[]): void {
    const cell: Cell = (role) => this.#roles.first(cells, role)
    const found = this.#amountOf(cell)
    row.errors.push(...found.errors)
    this.#setCurrency(row, currencyIn(cell('currency')), found.currency)
    const balance = this.information(cell('balance'))
    if (balance !== undefined) {
      row.balance = balance
    }
    if (found.amount === undefined) {
      return
    }
    this.#setAmount(row, found.amount, this.information(cell('fee')))
    if (found.ignored) {
      row.ignored = found.ignored
    } else if (row.amount === '0' && this.#reading.zeroRows !== 'book') {
      row.ignored = 'zero'
    }
    const digits = tooManyDigits(row.amount as string, row.currency)
    if (digits && row.ignored === undefined) {
      row.errors.push(digits)
    }
    this.#setOriginal(row, cell)
  }

  /** An amount that only tells more of a row; nothing where it cannot be read. */
  information(text: string): DecimalText | undefined {
    const clean = text === '' ? undefined : cleanAmount(text)
    const found = clean && decimalOfAnyStyle(clean, this.#reading.decimal ?? '.')
    return found && 'amount' in found ? found.amount : undefined
  }

  #setCurrency(row: SourceRow, ofRow: string | undefined, ofAmount: string | undefined): void {
    const currency = ofRow ?? this.#headingCurrency ?? ofAmount ?? this.#reading.currency
    if (currency !== undefined) {
      row.currency = currency
    }
    if (ofAmount !== undefined && currency !== ofAmount) {
      const message = `The amount is in ${ofAmount}, but its row in ${currency}.`
      row.errors.push({ code: 'currencyMismatch', message })
    }
  }

  #setAmount(row: SourceRow, whole: DecimalText, fee: DecimalText | undefined): void {
    const { amount, parts } = withFee(whole, fee, this.#reading.fee)
    row.amount = amount
    row.parts = parts
    if (fee !== undefined && fee !== '0' && parts.length === 0) {
      row.metadata['fee'] = fee
    }
  }

  #setOriginal(row: SourceRow, cell: Cell): void {
    const currency = findCurrency(cell('originalCurrency').toUpperCase())?.code
    const amount = this.information(cell('originalAmount'))
    const rate = this.information(cell('rate'))
    if (amount !== undefined && currency === undefined) {
      row.metadata['originalAmount'] = amount
    } else if (amount !== undefined && currency !== undefined && currency !== row.currency) {
      row.original = { amount, currency, ...(rate !== undefined && { rate }) }
    }
  }

  /** The amount of a row, without its fee. */
  #amountOf(cell: Cell): MoneyFound {
    const found: MoneyFound = { errors: [] }
    const amount = this.#signed(cell, found)
    if (amount !== undefined) {
      found.amount = this.#reading.sign === 'reversed' ? negateDecimal(amount) : amount
    }
    return found
  }

  #signed(cell: Cell, found: MoneyFound): DecimalText | undefined {
    const text = cell('amount')
    // Two columns decide, and one amount where neither is filled.
    if (this.#hasSides && (text === '' || cell('debit') !== '' || cell('credit') !== '')) {
      return this.#fromSides(cell, found)
    }
    if (text === '') {
      return this.#missing(found, 'amount')
    }
    const amount = this.#read('amount', text, found)
    if (amount === undefined) {
      return undefined
    }
    if (this.#columns.direction) {
      return this.#directed(amount, cell('direction'), found)
    }
    const isOut = this.#reading.unsigned === 'out' && isUnsigned(text)
    return isOut ? negateDecimal(amount) : amount
  }

  #directed(amount: DecimalText, word: string, found: MoneyFound): DecimalText {
    const direction = word === '' ? (this.#reading.blankDirection ?? 'in') : directionInWord(word)
    if (direction === undefined) {
      const message = `"${shownCell(word)}" says neither that money comes in nor that it leaves.`
      found.errors.push({ code: 'directionUnknown', ...this.#titleOf('direction'), message })
    } else if (direction === 'neutral') {
      found.ignored = 'neutral'
    }
    return direction === 'out' ? negateDecimal(amount) : amount
  }

  #fromSides(cell: Cell, found: MoneyFound): DecimalText | undefined {
    const [debitText, creditText] = [cell('debit'), cell('credit')]
    const debit = debitText === '' ? '0' : this.#read('debit', debitText, found)
    const credit = creditText === '' ? '0' : this.#read('credit', creditText, found)
    if (debit === undefined || credit === undefined) {
      return undefined
    }
    if (debit !== '0' && credit !== '0') {
      const message = `The row has an amount in both columns: "${shownCell(debitText)}" and "${shownCell(creditText)}".`
      found.errors.push({ code: 'bothSides', ...this.#titleOf('debit'), message })
      return undefined
    }
    if (debitText === '' && creditText === '') {
      return this.#missing(found, 'debit')
    }
    return debit === '0' ? credit : negateDecimal(absoluteDecimal(debit))
  }

  #missing(found: MoneyFound, role: ColumnRole): undefined {
    const message = 'The row has no amount.'
    found.errors.push({ code: 'amountMissing', ...this.#titleOf(role), message })
  }

  #read(role: ColumnRole, text: string, found: MoneyFound): DecimalText | undefined {
    const clean = cleanAmount(text)
    const result = clean
      ? decimalUnder(clean, this.#reading.decimal ?? '.')
      : { error: 'money.malformed' as const }
    if ('error' in result) {
      const message = `"${shownCell(text)}" ${MESSAGES[result.error]}`
      found.errors.push({ code: result.error, ...this.#titleOf(role), message })
      return undefined
    }
    if (clean?.currency !== undefined) {
      found.currency ??= clean.currency
    }
    return result.amount
  }

  #titleOf(role: ColumnRole): { column?: string } {
    const heading = this.#headings[this.#columns[role]?.[0] ?? -1]
    return heading ? { column: heading } : {}
  }
}

function isUnsigned(text: string): boolean {
  const clean = cleanAmount(text)
  return clean !== undefined && !clean.negative && clean.plus === undefined
}
