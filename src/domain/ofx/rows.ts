import { type BankDay, readDay } from '../bank-files/dates.ts'
import { absoluteDecimal, product, quotient, readPlainAmount } from '../bank-files/decimals.ts'
import { joinedTexts, newRow, put, rowError } from '../bank-files/rows.ts'
import type { SourceRow } from '../bank-files/source.ts'
import { findCurrency } from '../currency.ts'
import type { XmlElement } from '../xml.ts'
import { find, firstText, flatten, textAt } from '../xml-paths.ts'

const MOMENT = /^([0-9]{4})([0-9]{2})([0-9]{2})(?:([0-9]{2})([0-9]{2})([0-9]{2}))?/
/** Banks that know no time write noon or midnight. */
const NO_TIMES = ['00:00:00', '12:00:00']

/**
 * The date of a moment such as `20230509120000.000[-5:EST]`, as it is written: banks mean their own day.
 */
export function readOfxDay(text: string): (BankDay & { time?: string }) | undefined {
  const [, year = '', month = '', day = '', ...clock] = MOMENT.exec(text) ?? []
  const found = readDay(year, month, day)
  const time = clock.join(':')
  const isTime =
    /^(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]$/.test(time) && !NO_TIMES.includes(time)
  return found && (isTime ? { ...found, time } : found)
}

export interface OfxRowContext {
  line: number
  account: string
  statement: number
  /** `CURDEF`. */
  currency: string
  isPending: boolean
}

/** A booking: `STMTTRN`, or `STMTTRNP` of the pending ones. */
export function rowOfStatementTransaction(element: XmlElement, context: OfxRowContext): SourceRow {
  const row = newRow(context.line, context.account)
  row.statement = context.statement
  row.raw = flatten(element)
  row.pending = context.isPending
  setDate(row, firstText(element, ['DTPOSTED'], context.isPending ? ['DTTRAN'] : []))
  setAmount(row, element, context.currency)
  const name = firstText(element, ['NAME'], ['PAYEE', 'NAME'])
  const memo = textAt(element, 'MEMO')
  put(row, 'payeeRaw', name)
  put(row, 'description', memo.toLowerCase() === name.toLowerCase() ? '' : memo)
  row.text = joinedTexts(name, memo)
  setIds(row, element)
  put(row, 'counterAccount', firstText(element, ['BANKACCTTO', 'ACCTID'], ['CCACCTTO', 'ACCTID']))
  put(row.metadata, 'checkNumber', textAt(element, 'CHECKNUM'))
  put(row.metadata, 'reference', textAt(element, 'REFNUM'))
  put(row.metadata, 'valueDate', readOfxDay(textAt(element, 'DTAVAIL'))?.date)
  put(row.metadata, 'transactionType', textAt(element, 'TRNTYPE'))
  return row
}

/** Returns a row that shows only the kind of a trade. */
export function rowOfSecurity(element: XmlElement, context: OfxRowContext): SourceRow {
  const row = newRow(context.line, context.account)
  row.statement = context.statement
  row.raw = flatten(element)
  row.text = element.name
  row.ignored = 'security'
  return row
}

function setDate(row: SourceRow, written: string): void {
  const day = readOfxDay(written)
  if (!day) {
    row.errors.push(
      written === '' ? rowError.dateMissing('DTPOSTED') : rowError.dateInvalid('DTPOSTED', written),
    )
    return
  }
  row.date = day.date
  put(row, 'time', day.time)
  if (day.isRepaired) {
    row.warnings.push('dateRepaired')
  }
}

function setAmount(row: SourceRow, element: XmlElement, currency: string): void {
  const written = textAt(element, 'TRNAMT')
  const amount = readPlainAmount(written)
  put(row, 'currency', currency)
  if (amount === undefined) {
    row.errors.push(
      written === ''
        ? rowError.amountMissing('TRNAMT')
        : rowError.amountMalformed('TRNAMT', written),
    )
    return
  }
  row.amount = amount
  setOriginal(row, amount, find(element, 'ORIGCURRENCY'))
  setForeign(row, amount, find(element, 'CURRENCY'))
}

/** `ORIGCURRENCY`: the amount was converted, `CURRATE` is what one unit of the original currency was worth. */
function setOriginal(row: SourceRow, amount: string, element: XmlElement | undefined): void {
  const currency = textAt(element, 'CURSYM')
  const rate = readPlainAmount(textAt(element, 'CURRATE'))
  if (currency === '' || currency === row.currency || rate === undefined) {
    return
  }
  const original = quotient(absoluteDecimal(amount), rate, digitsOf(currency))
  if (original !== undefined) {
    row.original = { amount: original, currency, rate }
  }
}

/** `CURRENCY`: the amount is in a currency that is not that of the account. */
function setForeign(row: SourceRow, amount: string, element: XmlElement | undefined): void {
  const currency = textAt(element, 'CURSYM')
  if (currency === '' || currency === row.currency) {
    return
  }
  const rate = readPlainAmount(textAt(element, 'CURRATE'))
  if (rate === undefined) {
    row.currency = currency
    return
  }
  row.original = { amount: absoluteDecimal(amount), currency, rate }
  row.amount = product(amount, rate, digitsOf(row.currency ?? ''))
}

const digitsOf = (currency: string) => findCurrency(currency)?.minorDigits ?? 2

function setIds(row: SourceRow, element: XmlElement): void {
  const id = textAt(element, 'FITID')
  put(row, 'bankId', id === '' ? undefined : { scheme: 'ofx', id })
  const corrected = textAt(element, 'CORRECTFITID')
  const action = textAt(element, 'CORRECTACTION').toLowerCase()
  if (corrected !== '' && (action === 'replace' || action === 'delete')) {
    row.correction = { action, id: corrected }
  }
}
