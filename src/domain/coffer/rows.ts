import { readIsoDay } from '../bank-files/dates.ts'
import {
  isNegativeDecimal,
  negateDecimal,
  sumDecimals,
  readPlainAmount,
} from '../bank-files/decimals.ts'
import { joinedTexts, newRow, put, rowError } from '../bank-files/rows.ts'
import type { SourcePart, SourceRow } from '../bank-files/source.ts'
import { type JsonRecord, listOf, recordOf, textOf } from '../json-values.ts'
import { metadataIn } from '../metadata.ts'

/** Texts of an item that are shown as they are written. */
const SHOWN = ['id', 'kind', 'date', 'signedAmount', 'currency', 'description', 'payeeRaw', 'note']

/** The names of what a row names by id. */
interface Names {
  payee: (id: string) => string
  /** From the uppermost. */
  category: (id: string) => string[] | undefined
  tags: (ids: unknown) => string[]
}

/** One side of a transaction, as the list of transactions has it. */
export function rowOfExportedTransaction(
  item: JsonRecord,
  names: Names,
  { account, line }: { account: string; line: number },
): SourceRow {
  const row = newRow(line, account)
  for (const name of SHOWN) {
    put(row.raw, name, textOf(item, name))
  }
  setDate(row, item)
  setAmount(row, item)
  setStatus(row, item)
  const id = textOf(item, 'id')
  put(row, 'bankId', id === '' ? undefined : { scheme: 'coffer', id: `coffer:${id}` })
  put(row, 'currency', textOf(item, 'currency'))
  const payee = textOf(item, 'payeeRaw') || names.payee(textOf(item, 'payeeId'))
  put(row, 'payeeRaw', payee)
  put(row, 'description', textOf(item, 'description'))
  put(row, 'note', textOf(item, 'note'))
  put(row, 'category', names.category(textOf(item, 'categoryId')))
  row.tags = names.tags(item['tagIds'])
  row.text = joinedTexts(payee, row.description)
  put(row, 'original', originalOf(item))
  put(row, 'externalId', textOf(item, 'externalId'))
  put(row, 'ownMetadata', metadataIn(JSON.stringify(item['metadata'] ?? null)))
  setTransfer(row, item)
  setParts(row, item, names)
  return row
}

function setDate(row: SourceRow, item: JsonRecord): void {
  const written = textOf(item, 'date')
  const day = readIsoDay(written)
  if (day && !day.isRepaired) {
    row.date = day.date
  } else {
    row.errors.push(
      written === '' ? rowError.dateMissing('date') : rowError.dateInvalid('date', written),
    )
  }
  const time = textOf(item, 'time')
  put(row, 'time', /^[0-9]{2}:[0-9]{2}$/.test(time) ? `${time}:00` : undefined)
}

function setAmount(row: SourceRow, item: JsonRecord): void {
  const written = textOf(item, 'signedAmount')
  const amount = readPlainAmount(written)
  if (amount === undefined) {
    row.errors.push(
      written === ''
        ? rowError.amountMissing('signedAmount')
        : rowError.amountMalformed('signedAmount', written),
    )
  } else {
    row.amount = amount
  }
}

function setStatus(row: SourceRow, item: JsonRecord): void {
  const status = textOf(item, 'status')
  row.pending = status === 'pending'
  if (status === 'uncleared') {
    row.status = status
  }
  if (textOf(item, 'kind') === 'opening') {
    row.ignored = 'opening'
  } else if (status === 'void') {
    row.ignored = 'notCompleted'
  }
}

function originalOf(item: JsonRecord): SourceRow['original'] {
  const amount = readPlainAmount(textOf(item, 'originalAmount'))
  const currency = textOf(item, 'originalCurrency')
  const rate = readPlainAmount(textOf(item, 'rate'))
  if (amount === undefined || currency === '') {
    return undefined
  }
  return rate === undefined ? { amount, currency } : { amount, currency, rate }
}

/** The other side of a part that is a transfer names the part, so that is what both share. */
function setTransfer(row: SourceRow, item: JsonRecord): void {
  const account = textOf(item, 'counterAccountId')
  const pair = textOf(item, 'splitId') || textOf(item, 'transferId')
  if (account !== '' && pair !== '') {
    row.transfer = { account, pair }
  }
}

function setParts(row: SourceRow, item: JsonRecord, names: Names): void {
  const splits = listOf(item, 'splits')
  const { amount } = row
  if (splits.length === 0 || amount === undefined) {
    return
  }
  row.parts = splits.map((split) => partOf(split, names, isNegativeDecimal(amount)))
  const sum = sumDecimals(row.parts.map((part) => part.amount))
  if (sum !== amount) {
    row.errors.push(rowError.partsDoNotSum('splits', sum, amount))
  }
}

/** The amounts of parts are not signed as those of their account are. */
function partOf(split: JsonRecord, names: Names, isOut: boolean): SourcePart {
  const amount = readPlainAmount(textOf(split, 'amount')) ?? '0'
  const part: SourcePart = { amount: isOut ? negateDecimal(amount) : amount }
  put(part, 'description', textOf(split, 'note'))
  put(part, 'category', names.category(textOf(split, 'categoryId')))
  const tags = names.tags(split['tagIds'])
  put(part, 'tags', tags.length > 0 ? tags : undefined)
  const transfer = textOf(recordOf(split['transfer']), 'accountId')
  if (transfer !== '') {
    part.transfer = transfer
    part.pair = textOf(split, 'id')
  }
  return part
}
