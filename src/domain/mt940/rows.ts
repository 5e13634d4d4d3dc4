import type { BankIds } from '../bank-files/bank-ids.ts'
import { type BankDay, yearOfDigits, readDay } from '../bank-files/dates.ts'
import { negateDecimal, readPlainAmount } from '../bank-files/decimals.ts'
import { joinedTexts, newRow, put, rowError } from '../bank-files/rows.ts'
import type { SourceRow } from '../bank-files/source.ts'
import { daysBetween } from '../calendar.ts'
import { readInformation } from './details.ts'
import { type Field, joinLines } from './fields.ts'

/** A `:61:` with the `:86:` below it. */
export interface Mt940Entry {
  line: Field
  information: Field[]
}

const LINE =
  /^([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{4}| {4})?(R[CD]|E?[CD])([A-Z]?)([0-9][0-9.,]*)(?:([A-Z](?:[A-Z0-9 ]{3}|$))(.*))?$/
type Reference = [string, string, string?, string?]
const REFERENCE = /^(.*?)(?:\/\/(.{0,16})(.*))?$/

/** The content of the first line of a `:61:`. */
interface StatementLine {
  value: [year: string, month: string, day: string]
  /** Month and day, if they are there. */
  entry: string
  mark: string
  amount: string
  type: string | undefined
  rest: string
}

function readLine(text: string): StatementLine | undefined {
  const found = LINE.exec(text.trim())
  if (!found) {
    return undefined
  }
  const [, year, month, day, entry, mark, , amount] = found as unknown as Texts
  const [type, rest = ''] = found.slice(8)
  return { value: [year, month, day], entry: entry?.trim() ?? '', mark, amount, type, rest }
}

/** The parts of a line that are always there; the fourth is not. */
type Texts = [string, string, string, string, string | undefined, string, string, string]

/** Marks under which money leaves: a debit, or a credit that is taken back. */
const OUT = ['D', 'ED', 'RC']

export interface Mt940RowContext {
  account: string
  statement: number
  currency: string
  isPending: boolean
  ids: BankIds
}

/** True if a `:61:` is incomplete: it lacks its amount, or the type that follows it. */
export const isCutLine = ({ lines }: Field): boolean =>
  readLine(wholeLines(lines)[0])?.type === undefined

const TYPE_LENGTH = 4

/** The lines of a `:61:`, the first of which may be broken anywhere up to its type. */
function wholeLines(lines: readonly string[]): [string, ...string[]] {
  const [first, next, ...more] = lines as [string, ...string[]]
  const isWhole = (line: string) => readLine(line)?.type?.length === TYPE_LENGTH
  const joined = first.trimEnd() + (next ?? '').trimStart()
  return next !== undefined && !isWhole(first) && isWhole(joined)
    ? [joined, ...more]
    : (lines as [string, ...string[]])
}

export function rowOfBooking(
  { line, information }: Mt940Entry,
  context: Mt940RowContext,
): SourceRow {
  const row = newRow(line.line, context.account)
  row.statement = context.statement
  row.pending = context.isPending
  put(row, 'currency', context.currency)
  const [first, ...more] = wholeLines(line.lines)
  row.raw = { ':61:': line.lines.join('\n').trim() }
  put(row.raw, ':86:', information.map(({ lines }) => lines.join('\n').trim()).join('\n'))
  const found = readLine(first)
  const said = readInformation(information.map(({ lines }) => lines))
  if (found) {
    setDates(row, found)
    setAmount(row, found)
    setReferences(row, found, { more, ids: context.ids, said: said.metadata })
  } else {
    row.errors.push(rowError.amountMalformed(':61:', first))
    // An unreadable line is reported, whatever is done with pending ones.
    row.pending = false
  }
  put(row, 'payeeRaw', said.payee)
  put(row, 'counterAccount', said.account)
  const supplementary = row.metadata['supplementary'] ?? ''
  put(row, 'description', said.text || supplementary)
  row.text = joinedTexts(...information.map(({ lines }) => joinLines(lines)), supplementary)
  return row
}

/** The entry date is that of the booking. It has no year: the one that brings it closest to the value date. */
function setDates(row: SourceRow, { value: written, entry }: StatementLine): void {
  const value = readDay(yearOfDigits(written[0]), written[1], written[2])
  const booked = value && (entry === '' ? value : closest(value, entry))
  if (!value || !booked) {
    row.errors.push(rowError.dateInvalid(':61:', value ? entry : written.join('')))
    return
  }
  row.date = booked.date
  row.metadata['valueDate'] = value.date
  if (value.isRepaired || booked.isRepaired) {
    row.warnings.push('dateRepaired')
  }
}

function closest(value: BankDay, entry: string): BankDay | undefined {
  const year = Number(value.date.slice(0, 4))
  const months = Math.abs(Number(value.date.slice(5, 7)) - Number(entry.slice(0, 2)))
  // Within five months there is nothing closer.
  const years = months < 6 ? [year] : [year, year - 1, year + 1]
  const days = years.flatMap((one) => readDay(String(one), entry.slice(0, 2), entry.slice(2)) ?? [])
  const distance = ({ date }: BankDay) => Math.abs(daysBetween(value.date, date))
  return days.toSorted((a, b) => distance(a) - distance(b))[0]
}

function setAmount(row: SourceRow, { mark, amount: written }: StatementLine): void {
  const amount = readPlainAmount(written)
  if (amount === undefined) {
    row.errors.push(rowError.amountMalformed(':61:', written))
    return
  }
  row.amount = OUT.includes(mark) ? negateDecimal(amount) : amount
}

function setReferences(
  row: SourceRow,
  { type, rest }: StatementLine,
  { more, ids, said }: { more: string[]; ids: BankIds; said: Record<string, string> },
): void {
  const [, reference, bank = '', left = ''] = REFERENCE.exec(rest) as unknown as Reference
  const id = ids.choose([bank.trim()])
  put(row, 'bankId', id === undefined ? undefined : { scheme: 'mt940', id })
  Object.assign(row.metadata, said)
  const own = reference.trim()
  put(row.metadata, 'reference', own === 'NONREF' || own === 'NOTPROVIDED' ? '' : own)
  put(row.metadata, 'bankReference', bank.trim() === 'NONREF' ? '' : bank.trim())
  put(row.metadata, 'supplementary', joinedTexts(left.trim(), joinLines(more)))
  put(row.metadata, 'transactionType', type)
}
