import { type BankIds, isBankId } from '../bank-files/bank-ids.ts'
import { readIsoDay } from '../bank-files/dates.ts'
import type { Reading } from '../bank-files/format.ts'
import { joinedTexts, newRow, put, rowError } from '../bank-files/rows.ts'
import type { SourceRow } from '../bank-files/source.ts'
import type { ReportedEntry } from '../bank-files/repeated-entries.ts'
import type { XmlElement } from '../xml.ts'
import { find, firstText, flatten, textAt } from '../xml-paths.ts'
import { noteOf, partsOfEntry, separateRows } from './batches.ts'
import {
  type Detail,
  directionOfEntry,
  originalOf,
  otherParty,
  signed,
  moneyAt,
} from './details.ts'

export interface EntryContext {
  account: string
  statement: number
  statementId: string
  /** True if the entry stands in a report or notification. */
  interim: boolean
  /** Since when it tells all of the account, if it is a report. */
  since: string | undefined
  isRepeated: (entry: ReportedEntry) => boolean
  line: number
  batches: Reading['batches']
  ids: BankIds
}

/** The booking of an `Ntry`: one row, or one for each detail where that is asked for. */
export function rowsOfEntry(
  entry: XmlElement,
  details: readonly Detail[],
  context: EntryContext,
): SourceRow[] {
  const row = rowOfEntry(entry, details, context)
  if (
    context.isRepeated(reportedEntry(row, entry, details, context)) &&
    row.ignored === undefined
  ) {
    row.ignored = 'toldAgain'
  }
  const parts = partsOfEntry(row, entry, details)
  if (context.batches === 'separate' && details.length > 1 && parts.length > 0) {
    return separateRows(row, parts, { entry, details, ids: context.ids, scope: scopeOf(context) })
  }
  const id = idOf(entry, details, context)
  put(row, 'bankId', id === undefined ? undefined : { scheme: 'camt', id })
  if (parts.length > 0 && context.batches !== 'whole') {
    row.parts = parts
  } else if (details.length > 1) {
    row.note = details.map((detail) => noteOf(detail, entry)).join('\n')
  }
  return [row]
}

function rowOfEntry(
  entry: XmlElement,
  details: readonly Detail[],
  { account, statement, line }: EntryContext,
): SourceRow {
  const row = newRow(line, account)
  row.statement = statement
  row.raw = { ...flatten(entry), ...details[0]?.raw }
  setAmount(row, entry)
  setDates(row, entry)
  setStatus(row, entry)
  const others = details.map((detail) => otherParty(detail, entry))
  const [other, ...more] = others
  const information = textAt(entry, 'AddtlNtryInf')
  if (other && more.every(({ name }) => name === other.name)) {
    put(row, 'payeeRaw', other.name)
  }
  if (other && more.length === 0) {
    put(row, 'counterAccount', other.account)
    Object.assign(row.metadata, details[0]?.metadata)
  }
  const texts = details.map(({ text }) => text)
  put(row, 'description', (texts.length === 1 ? texts[0] : '') || information)
  const identifying = others.map(({ name }, at) => joinedTexts(name, texts[at]))
  row.text = identifying.join(' ').trim() || information
  const only = details.length === 1 ? details[0] : undefined
  const amounts = [only?.amounts, find(entry, 'AmtDtls')]
  put(row, 'original', originalOf(amounts, row.currency ?? '', only?.money))
  put(row.metadata, 'transactionCode', codeOf(entry))
  return row
}

function setAmount(row: SourceRow, entry: XmlElement): void {
  const money = moneyAt(entry, 'Amt')
  const direction = directionOfEntry(entry)
  if (money === undefined) {
    const written = textAt(entry, 'Amt')
    row.errors.push(
      written === '' ? rowError.amountMissing('Amt') : rowError.amountMalformed('Amt', written),
    )
  } else if (direction === 'CRDT' || direction === 'DBIT') {
    row.amount = signed(money.amount, direction)
    put(row, 'currency', money.currency)
  } else {
    row.errors.push(rowError.amountMalformed('CdtDbtInd', direction))
  }
}

/** A day of booking, else that of value. */
function setDates(row: SourceRow, entry: XmlElement): void {
  const booked = firstText(entry, ['BookgDt', 'Dt'], ['BookgDt', 'DtTm'])
  const value = firstText(entry, ['ValDt', 'Dt'], ['ValDt', 'DtTm'])
  const written = booked === '' ? value : booked
  const day = readIsoDay(written)
  if (day) {
    row.date = day.date
  } else {
    row.errors.push(
      written === '' ? rowError.dateMissing('BookgDt') : rowError.dateInvalid('BookgDt', written),
    )
  }
  if (day?.isRepaired === true) {
    row.warnings.push('dateRepaired')
  }
  put(row, 'time', /^.{10}T((?!00:00:00)[0-9]{2}:[0-9]{2}:[0-9]{2})/.exec(booked)?.[1])
  put(row.metadata, 'valueDate', readIsoDay(value)?.date)
}

/** `Sts` was a text before version 8. */
function setStatus(row: SourceRow, entry: XmlElement): void {
  const status = firstText(entry, ['Sts'], ['Sts', 'Cd'], ['Sts', 'Prtry'])
  row.pending = status === 'PDNG' || status === 'FUTR'
  if (status === 'INFO') {
    row.ignored = 'information'
  }
}

function codeOf(entry: XmlElement): string {
  const domain = find(entry, 'BkTxCd', 'Domn')
  const codes = [['Cd'], ['Fmly', 'Cd'], ['Fmly', 'SubFmlyCd']].map((path) =>
    textAt(domain, ...path),
  )
  return domain ? codes.join('-') : textAt(entry, 'BkTxCd', 'Prtry', 'Cd')
}

function reportedEntry(
  { account, date, amount, pending, text }: SourceRow,
  entry: XmlElement,
  details: readonly Detail[],
  { statement, interim, since }: EntryContext,
): ReportedEntry {
  const reference = referencesOf(entry, details).find(isBankId) ?? ''
  const reported = { account, date, amount, pending, reference, statement, interim, text }
  return since === undefined ? reported : { ...reported, since }
}

/** The bank's own references, the best first. */
const referencesOf = (entry: XmlElement, details: readonly Detail[]): string[] => [
  textAt(entry, 'AcctSvcrRef'),
  ...(details.length === 1 ? details.map(({ reference }) => reference) : []),
]

/** Reports of one day repeat an entry under other ids of their own, so only statements number theirs for good. */
function idOf(
  entry: XmlElement,
  details: readonly Detail[],
  { statementId, statement, interim, ids }: EntryContext,
): string | undefined {
  const [reference, ...others] = referencesOf(entry, details)
  const number = interim ? '' : textAt(entry, 'NtryRef')
  return ids.choose(
    [reference, number && `${statementId}:${number}`, ...others],
    scopeOf({ statement, interim }),
  )
}

/** An id may come again in each report. */
const scopeOf = ({ statement, interim }: Pick<EntryContext, 'statement' | 'interim'>): string =>
  interim ? `report ${statement} ` : ''
