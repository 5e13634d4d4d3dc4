import {
  absoluteDecimal,
  negateDecimal,
  sumDecimals,
  readPlainAmount,
} from '../../bank-files/decimals.ts'
import type { SourceRow } from '../../bank-files/source.ts'
import type { RowCombiner } from './profile.ts'

/** `Converted 500.00 EUR to 541.06 USD` */
const CONVERTED = /([0-9.,]{1,30}) ([A-Z]{3}) \S{1,10} ([0-9.,]{1,30}) ([A-Z]{3})\b/

/** A cell; the columns of a profile that are not mapped may be missing. */
const cellOf = ({ raw }: SourceRow, heading: string): string => raw[heading] ?? ''

function amountIn(text: string): string | undefined {
  const amount = readPlainAmount(text)
  return amount === undefined ? undefined : absoluteDecimal(amount)
}

/** The amount in the other currency, as a column or the description says it. */
function exchanged(row: SourceRow): SourceRow['original'] {
  const [, from = '', fromCurrency = '', to = '', toCurrency = ''] =
    CONVERTED.exec(`${row.description}`) ?? []
  const candidates: [written: string, currency: string][] = [
    [cellOf(row, 'Exchange To Amount'), cellOf(row, 'Exchange To')],
    [from, fromCurrency],
    [to, toCurrency],
  ]
  const others = candidates.flatMap(([written, currency]) => {
    const amount = amountIn(written)
    return amount === undefined || currency === row.currency ? [] : [{ amount, currency }]
  })
  return others[0]
}

/** A conversion stands in the files of both currencies, with one id; each currency is an account. */
export const wiseRows = (): RowCombiner => ({
  add(row) {
    const id = row.bankId?.id
    const currencies = ['Exchange From', 'Exchange To'].map((heading) => cellOf(row, heading))
    const isExchanged = currencies.some((currency) => currency !== '' && currency !== row.currency)
    const original = isExchanged ? exchanged(row) : undefined
    if (original) {
      const rate = amountIn(cellOf(row, 'Exchange Rate'))
      row.original = { ...original, ...(rate === undefined ? {} : { rate }) }
    }
    if (id?.startsWith('BALANCE') && isExchanged) {
      row.transfer = { account: '', pair: `wise:${id}` }
    }
    return [row]
  },
  end: () => [],
})

/** The currencies of one's own that a record moves money in; each is an account. */
export const wiseAccounts = (cell: (heading: string) => string): string[] => {
  const direction = cell('Direction').toUpperCase()
  return [
    ...(direction === 'IN' ? [] : [cell('Source currency')]),
    ...(direction === 'OUT' ? [] : [cell('Target currency')]),
  ].filter(Boolean)
}

/** Makes the row of the incoming amount, with its sender. */
function incoming(row: SourceRow): SourceRow {
  const { original: target, ...rest } = row
  const payee = cellOf(row, 'Source name')
  const currency = cellOf(row, 'Target currency')
  const arrived = amountIn(cellOf(row, 'Target amount (after fees)'))
  const from = { amount: row.amount as string, currency: cellOf(row, 'Source currency') }
  return {
    ...rest,
    ...{ account: currency, currency, amount: arrived ?? from.amount },
    ...(payee !== '' && { payeeRaw: payee }),
    ...(target && { original: from }),
  }
}

/** Makes the row of the outgoing amount with its fee and receiver. */
function outgoing(row: SourceRow): SourceRow {
  const { original: target, ...rest } = row
  const payee = cellOf(row, 'Target name')
  const amount = negateDecimal(row.amount as string)
  const isOwn = cellOf(row, 'Source fee currency') === row.currency
  const fee = isOwn ? amountIn(cellOf(row, 'Source fee amount')) : undefined
  const parts =
    fee === undefined || fee === '0' ? [] : [{ amount }, { amount: negateDecimal(fee), fee: true }]
  return {
    ...rest,
    account: cellOf(row, 'Source currency'),
    amount: sumDecimals([amount, ...parts.slice(1).map((part) => part.amount)]),
    parts,
    ...(payee !== '' && { payeeRaw: payee }),
    ...(target && { original: target }),
  }
}

/** States of money that did not move in the end, or not yet. */
const NOT_MOVED: Record<string, Pick<SourceRow, 'ignored' | 'pending'>> = {
  REFUNDED: { ignored: 'notCompleted', pending: false },
  FUNDS_REFUNDED: { ignored: 'notCompleted', pending: false },
  BOUNCED_BACK: { ignored: 'notCompleted', pending: false },
  INCOMING_PAYMENT_WAITING: { pending: true },
}

/** Rows of all currencies: money that comes in, goes out, or is converted from one balance to another. */
export const wiseHistoryRows = (): RowCombiner => ({
  add(sourceRow) {
    const row = { ...sourceRow, ...NOT_MOVED[cellOf(sourceRow, 'Status').toUpperCase()] }
    if (row.amount === undefined) {
      return [row]
    }
    const direction = cellOf(row, 'Direction').toUpperCase()
    if (direction === 'IN') {
      return [incoming(row)]
    }
    const out = outgoing(row)
    if (direction === 'OUT') {
      return [out]
    }
    const into = incoming(row)
    if (into.account === out.account) {
      // Money that is moved within one balance changes nothing.
      return [{ ...out, ignored: 'neutral' }]
    }
    const pair = `wise:${row.bankId?.id ?? row.line}`
    return [
      { ...out, transfer: { account: into.account, pair } },
      { ...into, transfer: { account: out.account, pair } },
    ]
  },
  end: () => [],
})
