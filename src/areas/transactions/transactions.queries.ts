import { formatRate, parseRate } from '../../domain/exchange.ts'
import { parseMoney } from '../../domain/money.ts'
import type { Header } from '../ledger/ledger.public.ts'
import { transactionErrors } from './transactions.errors.ts'
import type { TransactionChanges } from './transactions.rules.ts'

/** The columns of the header that a request sets; what it leaves out is not among them. */
export function columnsOf(wanted: TransactionChanges): Partial<Header> {
  const { rate } = wanted
  const columns = {
    kind: wanted.kind,
    date: wanted.date,
    description: wanted.description,
    time: wanted.time,
    payeeRaw: wanted.payeeRaw,
    reviewed: wanted.reviewed,
    private: wanted.private,
    note: wanted.note,
    location: asJson(wanted.location),
    metadata: asJson(wanted.metadata),
    rate: rate && formatRate(parseRate(rate, 'rate')),
    ...originalOf(wanted),
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

const asJson = (value: object | null | undefined) => value && JSON.stringify(value)

function originalOf({ originalAmount, originalCurrency }: TransactionChanges): Partial<Header> {
  if (originalAmount && originalCurrency) {
    const rules = { allowZero: false, field: 'originalAmount' }
    const originalAmountMinor = parseMoney(originalAmount, originalCurrency, rules)
    return { originalAmountMinor, originalCurrency }
  }
  if (originalAmount || originalCurrency) {
    const field = originalAmount ? 'originalCurrency' : 'originalAmount'
    throw transactionErrors.originalIncomplete({ field })
  }
  return originalAmount === undefined && originalCurrency === undefined
    ? {}
    : { originalAmountMinor: null, originalCurrency: null }
}
