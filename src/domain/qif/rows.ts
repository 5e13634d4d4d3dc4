import type { ReadDate } from '../bank-files/dates.ts'
import type { DecimalMark } from '../bank-files/format.ts'
import { joinedTexts, newRow, put, rowError } from '../bank-files/rows.ts'
import type { SourceRow } from '../bank-files/source.ts'
import type { TransferPairs } from '../bank-files/transfer-pairs.ts'
import { summaryOf } from '../csv/words.ts'
import { readMarkedAmount, readTarget, setParts } from './parts.ts'
import { qifAmount, dateOf, qifField, type QifRecord } from './records.ts'

export interface QifContext {
  account: string
  /** No row of the account came before. */
  isFirst: boolean
  mark: DecimalMark
  readDate: (text: string) => ReadDate | undefined
  pairs: TransferPairs
}

/** A record of another section: trades, prices, securities, memorized payees. */
export function rowOfOther(record: QifRecord, account: string): SourceRow {
  const row = newRow(record.line, account)
  row.raw = rawOf(record)
  row.text = record.section
  row.ignored = /^(?:invst|prices|security)$/.test(record.section) ? 'security' : 'information'
  return row
}

export function rowOfRecord(record: QifRecord, context: QifContext): SourceRow {
  const row = newRow(record.line, context.account)
  row.raw = rawOf(record)
  if (isCut(record)) {
    row.errors.push(rowError.cut(record.section))
    return row
  }
  setDate(row, record, context)
  setAmount(row, record, context)
  const [payee, memo, number] = [
    qifField(record, 'P'),
    qifField(record, 'M'),
    qifField(record, 'N'),
  ]
  put(row, 'payeeRaw', payee)
  put(row, 'description', memo)
  put(row.metadata, 'checkNumber', number)
  const address = record.fields.filter(({ code }) => code === 'A').map(({ text }) => text)
  put(row.metadata, 'address', address.filter(Boolean).join(', '))
  row.text = joinedTexts(payee, memo, number)
  // A blank mark says that the bank has not reported it; without any, the source has no such marks.
  const hasBlankMark = record.fields.some(({ code, text }) => code === 'C' && text === '')
  put(row, 'status', hasBlankMark ? 'uncleared' : undefined)
  setTarget(row, record, context)
  return row
}

/** Without its end, a record must at least have its date and its amount. */
function isCut(record: QifRecord): boolean {
  const isShort = dateOf(record) === '' || qifAmount(record) === ''
  return record.cut === 'text' || (record.cut === 'record' && isShort)
}

function rawOf({ fields }: QifRecord): Record<string, string> {
  const raw: Record<string, string> = {}
  for (const { code, text } of fields) {
    raw[code] = raw[code] === undefined ? text : `${raw[code]}\n${text}`
  }
  return raw
}

function setDate(row: SourceRow, record: QifRecord, { readDate }: QifContext): void {
  const written = dateOf(record)
  const day = readDate(written)
  if (day) {
    row.date = day.date
  } else {
    row.errors.push(written === '' ? rowError.dateMissing('D') : rowError.dateInvalid('D', written))
  }
}

function setAmount(row: SourceRow, record: QifRecord, { mark }: QifContext): void {
  const written = qifAmount(record)
  const amount = readMarkedAmount(written, mark)
  if (amount === undefined) {
    row.errors.push(
      written === '' ? rowError.amountMissing('T') : rowError.amountMalformed('T', written),
    )
  } else {
    row.amount = amount
  }
}

function setTarget(row: SourceRow, record: QifRecord, context: QifContext): void {
  const { account, isFirst, mark, pairs } = context
  const pairOf = (other: string, amount: string) =>
    pairs.keyOf(account, other, row.date ?? '', amount)
  const target = readTarget(qifField(record, 'L'))
  const isOpening = summaryOf(qifField(record, 'P')) === 'opening'
  row.tags = target.tags
  put(row, 'category', target.category)
  setParts(row, record.fields, { mark, pairOf })
  if (target.account === undefined) {
    return
  }
  const isOwn = target.account === account
  // Programs call it as their language does.
  if ((isOwn && (isOpening || isFirst)) || (isOpening && account === '')) {
    row.ignored = 'opening'
  } else if (!isOwn && row.parts.length === 0) {
    row.transfer = { account: target.account, pair: pairOf(target.account, row.amount ?? '') }
  }
}
