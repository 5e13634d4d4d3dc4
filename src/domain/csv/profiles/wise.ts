import { cleanAmount, decimalUnder } from '../../bank-files/amounts.ts'
import { absoluteDecimal, negateDecimal, sumDecimals } from '../../bank-files/decimals.ts'
import type { SourceRow } from '../../bank-files/source.ts'
import type { RowCombiner } from './profile.ts'

/** `Converted 500.00 EUR to 541.06 USD` */
const CONVERTED = /([0-9.,]{1,30}) ([A-Z]{3}) \S{1,10} ([0-9.,]{1,30}) ([A-Z]{3})\b/

function amountIn(text: string | undefined): string | undefined {
  const clean = cleanAmount(text ?? '')
  const read = clean && decimalUnder(clean, '.')
  return read && 'amount' in read ? absoluteDecimal(read.amount) : undefined
}

/** The amount in the other currency, as a column or the description says it. */
function exchanged({ raw, description = '', currency }: SourceRow): SourceRow['original'] {
  const [, from, fromCurrency = '', to, toCurrency = ''] = CONVERTED.exec(description) ?? []
  const column = raw['Exchange To'] ?? ''
  const told: [amount: string | undefined, currency: string][] = [
    [amountIn(raw['Exchange To Amount']), column],
    [amountIn(from), fromCurrency],
    [amountIn(to), toCurrency],
  ]
  const [amount, other] = told.find((one) => one[0] !== undefined && one[1] !== currency) ?? []
  return amount === undefined || !other ? undefined : { amount, currency: other }
}

/** A conversion stands in the files of both currencies, with one id; each currency is an account. */
export const wiseRows = (): RowCombiner => ({
  add(row) {
    const { id } = row.bankId ?? {}
    const currencies = [row.raw['Exchange From'], row.raw['Exchange To']]
    const isExchanged = currencies.some((currency) => currency && currency !== row.currency)
    const original = isExchanged ? exchanged(row) : undefined
    if (original) {
      const rate = amountIn(row.raw['Exchange Rate'])
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

/** What arrives, and who sent it. */
function incoming(row: SourceRow): SourceRow {
  const { original: target, ...rest } = row
  const payee = row.raw['Source name']
  const currency = row.raw['Target currency'] ?? ''
  const arrived = amountIn(row.raw['Target amount (after fees)'])
  const from = { amount: row.amount as string, currency: row.currency ?? '' }
  return {
    ...rest,
    ...{ account: currency, currency, amount: arrived ?? from.amount },
    ...(payee && { payeeRaw: payee }),
    ...(target && { original: from }),
  }
}

/** What leaves with the fee, and who gets it. */
function outgoing(row: SourceRow): SourceRow {
  const { original: target, ...rest } = row
  const {
    'Target name': payee,
    'Source fee amount': written,
    'Source fee currency': currency,
  } = row.raw
  const amount = negateDecimal(row.amount as string)
  const fee = currency === row.currency ? amountIn(written) : undefined
  const parts =
    fee === undefined || fee === '0' ? [] : [{ amount }, { amount: negateDecimal(fee), fee: true }]
  return {
    ...rest,
    account: row.currency ?? '',
    amount: sumDecimals([amount, ...parts.slice(1).map((part) => part.amount)]),
    parts,
    ...(payee && { payeeRaw: payee }),
    ...(target && { original: target }),
  }
}

/** Rows of all currencies: money that comes in, goes out, or is converted from one balance to another. */
export const wiseHistoryRows = (): RowCombiner => ({
  add(row) {
    if (row.amount === undefined) {
      return [row]
    }
    const direction = row.raw['Direction']?.toUpperCase()
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
      return [{ ...out, ignored: row.ignored ?? 'neutral' }]
    }
    const pair = `wise:${row.bankId?.id ?? row.line}`
    return [
      { ...out, transfer: { account: into.account, pair } },
      { ...into, transfer: { account: out.account, pair } },
    ]
  },
  end: () => [],
})
