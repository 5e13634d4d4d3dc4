import document from '../../../docs/guides/net-worth.md?raw'
import { createCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { createExchangeRate } from '../../../src/areas/money/exchange-rates/exchange-rates.routes.ts'
import {
  createTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { createValuation } from '../../../src/areas/money/valuations/valuations.routes.ts'
import { ok, type Principal } from '../../support/api.ts'
import { tablesBelow } from '../../support/documents.ts'
import { newAccount, newUser } from '../../support/world.ts'

/** The rows of the tables below a heading of the document, without their heads. */
export const tables = (heading: string): string[][][] => tablesBelow(document, heading)

export const table = (heading: string, at = 0): string[][] => tables(heading)[at] ?? []

/** `Food 66.15, Bank fees 2.50` as names and amounts. */
const shares = (text: string) =>
  text.split(', ').map((share) => {
    const [, name = '', amount = ''] = /^(.*) (-?[\d.]+)$/.exec(share) ?? []
    return { name, amount }
  })

/** Books what the document says, in its order. */
export async function bookHousehold() {
  const me = await newUser({ baseCurrency: 'EUR' })
  const accounts = new Map<string, string>()
  for (const [order, [name = '', type, currency, openingBalance]] of table('Accounts').entries()) {
    const opening = { openingBalance, openingDate: '2026-01-01' }
    const wanted = { name, type, currency, order, ...opening } as Parameters<typeof newAccount>[1]
    accounts.set(name, (await newAccount(me, wanted)).id)
  }
  const categories = new Map<string, string>()
  for (const [name = '', kind, below = ''] of table('Categories')) {
    const json = { name, kind: kind as 'expense', parentId: categories.get(below) }
    categories.set(name, (await ok(createCategory, { as: me, json })).id)
  }
  for (const [date = '', from = '', rate = '', to = ''] of table('Rates')) {
    await ok(createExchangeRate, { as: me, json: { from, to, date, rate } })
  }
  const known = { account: (name: string) => accounts.get(name) ?? '', category: categories }
  const lines = table('Lines')
  for (const line of lines.slice(0, -1)) {
    await bookLine(me, line, known)
  }
  const adjustments = async () => {
    const { transactions } = await ok(listTransactions, { as: me, query: { kind: 'adjustment' } })
    return transactions.map(({ signedAmount }) => signedAmount).toReversed()
  }
  const atFirst = await adjustments()
  await bookLine(me, lines.at(-1) ?? [], known)
  const inTheEnd = await adjustments()
  return { me, accountOf: known.account, names: [...accounts.keys()], atFirst, inTheEnd }
}

async function bookLine(
  as: Principal,
  [date = '', kind = '', account = '', amount = '', purpose = '']: string[],
  known: { account: (name: string) => string; category: Map<string, string> },
): Promise<void> {
  const accountId = known.account(account)
  if (kind === 'valuation') {
    await ok(createValuation, { as, json: { accountId, date, value: amount } })
    return
  }
  if (kind === 'transfer') {
    const [to, charged] = shares(purpose)
    const fee = charged && {
      amount: charged.amount,
      categoryId: known.category.get(charged.name) ?? '',
    }
    const ends = { fromAccountId: accountId, toAccountId: known.account(to?.name ?? '') }
    const json = { ...ends, date, amount, toAmount: to?.amount ?? '', ...(fee ? { fee } : {}) }
    await ok(createTransfer, { as, json })
    return
  }
  const parts = /\d/.test(purpose) ? shares(purpose) : []
  const splits = parts.map((part) => ({
    amount: part.amount,
    categoryId: known.category.get(part.name) ?? '',
  }))
  const whole = { categoryId: known.category.get(purpose) ?? '' }
  const what = splits.length > 0 ? { splits } : whole
  const status = kind.startsWith('void') ? 'void' : 'cleared'
  const json = { accountId, date, amount, status, ...what } as const
  await ok(createTransaction, {
    as,
    json: { kind: kind.replace('void ', '') as 'expense', ...json },
  })
}
