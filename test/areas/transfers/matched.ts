import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import {
  convertToTransfer,
  matchTransfer,
  revertToSingle,
  unmatchTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book, newCategory, type TransactionInput } from '../transactions/booking.ts'

/** A user with two accounts in euro and one in yen. */
export async function newHalves() {
  const me = await newUser()
  const [one, two, yen] = [
    await newAccount(me),
    await newAccount(me),
    await newAccount(me, { currency: 'JPY' }),
  ]
  return {
    me,
    one,
    two,
    yen,
    out: (wanted: Partial<TransactionInput> = {}) => book(me, one, { amount: '50', ...wanted }),
    into: (wanted: Partial<TransactionInput> = {}) =>
      book(me, two, { kind: 'income', amount: '50', date: '2026-11-22', ...wanted }),
  }
}

/** Two rows with all that a row can have. */
export async function newFull() {
  const halves = await newHalves()
  const { me, out, into } = halves
  const [food, salary] = [await newCategory(me), await newCategory(me, 'income')]
  const tag = async (name: string) => (await ok(createTag, { as: me, json: { name } })).id
  const [both, mine, theirs] = [await tag('Both'), await tag('Mine'), await tag('Theirs')]
  const payee = async (name: string) => (await ok(createPayee, { as: me, json: { name } })).id
  const from = await out({
    description: 'To savings',
    payeeRaw: 'SAVINGS BANK',
    payeeId: await payee('Bank'),
    categoryId: food.id,
    tagIds: [both, mine],
    status: 'cleared',
    time: '10:30',
    externalId: 'out-1',
    metadata: { one: 1 },
    originalAmount: '55',
    originalCurrency: 'USD',
    rate: '0.91',
  })
  const to = await into({
    description: 'From checking',
    note: 'Arrived',
    payeeId: await payee('Me'),
    categoryId: salary.id,
    tagIds: [both, theirs],
    externalId: 'in-1',
    reviewed: true,
    private: true,
    location: { lat: 1, lon: 2, name: 'Home' },
  })
  return { ...halves, from, to, food, tags: { both, mine, theirs } }
}

export const match = (as: Principal, from: { id: string }, to: { id: string }, more: object = {}) =>
  call(matchTransfer, {
    as,
    json: { fromTransactionId: from.id, toTransactionId: to.id, ...more },
  })

/** Both rows that come back. */
export async function unmatch(
  as: Principal,
  { id }: { id: string },
  query: { force?: string } = {},
) {
  const { from, to } = await ok(unmatchTransfer, { as, id, query })
  if (!from || !to) {
    throw new Error('unmatch: a side is gone')
  }
  return { from, to }
}

type Conversion = NonNullable<
  NonNullable<Parameters<typeof call<typeof convertToTransfer>>[1]>['json']
>

export const convert = (as: Principal, { id }: { id: string }, json: Conversion) =>
  call(convertToTransfer, { as, id, json })

export const converted = (
  as: Principal,
  { id }: { id: string },
  { id: accountId }: { id: string },
  more: Partial<Conversion> = {},
) => ok(convertToTransfer, { as, id, json: { accountId, ...more } })

export const revert = (as: Principal, { id }: { id: string }, query: { force?: string } = {}) =>
  call(revertToSingle, { as, id, query })

/** All that is stored of the money of a user, but for what counts and times changes. */
export async function stored({ id }: { id: string }): Promise<Record<string, unknown[]>> {
  const of = (sql: string) => rows<object>(sql, id)
  const mine = 'transaction_id IN (SELECT id FROM transactions WHERE owner_id = ?)'
  const accounts = 'account_id IN (SELECT id FROM accounts WHERE owner_id = ?)'
  return {
    transactions: (await of('SELECT * FROM transactions WHERE owner_id = ? ORDER BY id')).map(
      (row) => ({ ...row, version: 0, updated_at: 0 }),
    ),
    entries: await of('SELECT * FROM entries WHERE owner_id = ? ORDER BY transaction_id, line'),
    away: await of('SELECT * FROM unbooked_entries WHERE owner_id = ?'),
    tags: await of(`SELECT * FROM transaction_tags WHERE ${mine} ORDER BY 1, 2, 3`),
    payees: await of(`SELECT * FROM transaction_payees WHERE ${mine} ORDER BY 1, 2`),
    links: await of('SELECT * FROM transaction_links WHERE owner_id = ? ORDER BY id'),
    balances: await of(`SELECT * FROM account_balances WHERE ${accounts} ORDER BY 1`),
    periods: await of(`SELECT * FROM account_periods WHERE ${accounts} ORDER BY 1, 2, 3`),
    flows: await of(`SELECT * FROM flow_periods WHERE ${accounts} ORDER BY 1, 2, 3, 4, 5, 6`),
  }
}
