import { describe, expect, it } from 'vitest'
import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import { listTransactions } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { randomFrom } from '../../support/random.ts'
import { book, refusal, tripsOf } from './booking.ts'

const SORTS = ['-date', 'date', '-amount', 'amount', '-createdAt', 'createdAt'] as const

type Row = Awaited<ReturnType<typeof ok<typeof listTransactions>>>['transactions'][number]

/** All pages of a question, one after the other. */
async function walk(as: Principal, query: Record<string, string | number>): Promise<Row[]> {
  const seen: Row[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof ok<typeof listTransactions>>> = await ok(
      listTransactions,
      { as, query: { ...query, ...(cursor === null ? {} : { cursor }) } },
    )
    seen.push(...page.transactions)
    cursor = page.nextCursor
  } while (cursor !== null)
  return seen
}

/** Exact, of whatever digits: no floating point stands between two amounts. */
const inTenThousandths = ({ amount }: Row) => {
  const [whole = '', decimals = ''] = amount.split('.')
  return BigInt(whole + decimals.padEnd(4, '0'))
}

const KEYS: Record<string, (row: Row) => string | bigint> = {
  date: ({ date }: Row) => date,
  amount: inTenThousandths,
  createdAt: ({ createdAt }: Row) => createdAt,
}

function isInOrder(list: Row[], sort: (typeof SORTS)[number]): boolean {
  const keys = list.map((row) => KEYS[sort.replace('-', '')]?.(row) ?? '')
  return keys.every((key, at) => {
    const before = keys[at - 1]
    return before === undefined || (sort.startsWith('-') ? before >= key : before <= key)
  })
}

describe('transactions in an order of choice', () => {
  it('come without gaps and repeats from pages of any size', async () => {
    const random = randomFrom(20_261_121)
    const me = await newUser()
    const accounts = await Promise.all(
      ['EUR', 'EUR', 'JPY', 'BHD', 'CLF'].map((currency) => newAccount(me, { currency })),
    )
    const amounts = { whole: ['1', '2', '10', '12'], broken: ['1.5', '1.05', '12', '2'] }
    for (let at = 0; at < 40; at++) {
      const account = random.pick(accounts)
      await book(me, account, {
        kind: random.pick(['expense', 'income']),
        date: `2026-01-0${random.whole(1, 4)}`,
        amount: random.pick(account.currency === 'JPY' ? amounts.whole : amounts.broken),
      })
    }
    const [one, two] = accounts
    await ok(createTransfer, {
      as: me,
      json: {
        fromAccountId: one?.id ?? '',
        toAccountId: two?.id ?? '',
        date: '2026-01-02',
        amount: '12',
      },
    })
    // Some were recorded in the same moment.
    await rows(
      'UPDATE transactions SET created_at = created_at / 20 * 20 WHERE owner_id = ?',
      me.id,
    )
    const filters = [{}, { accountId: one?.id ?? '' }, { kind: 'expense' }, { amountFrom: '1.5' }]
    for (const filter of filters) {
      const all = await ok(listTransactions, { as: me, query: { ...filter, limit: 200 } })
      for (const sort of SORTS) {
        const whole = await ok(listTransactions, { as: me, query: { ...filter, sort, limit: 200 } })
        expect(isInOrder(whole.transactions, sort), sort).toBe(true)
        expect(new Set(whole.transactions.map(({ id }) => id))).toEqual(
          new Set(all.transactions.map(({ id }) => id)),
        )
        const limit = random.whole(1, 13)
        const paged = await walk(me, { ...filter, sort, limit })
        expect(paged, `${JSON.stringify(filter)} ${sort} ${limit}`).toEqual(whole.transactions)
        const back = await ok(listTransactions, {
          as: me,
          query: { ...filter, sort: sort.startsWith('-') ? sort.slice(1) : `-${sort}`, limit: 200 },
        })
        expect(back.transactions.toReversed()).toEqual(whole.transactions)
      }
    }
  })

  it('tell amounts apart that floating point does not', async () => {
    const me = await newUser()
    const account = await newAccount(me, { currency: 'CLF' })
    const amounts = ['900719925474.0989', '900719925474.0991', '900719925474.0990']
    for (const [at, amount] of amounts.entries()) {
      await book(me, account, { amount, kind: at === 1 ? 'expense' : 'income' })
    }
    const seen = await walk(me, { sort: '-amount', limit: 1 })
    expect(seen.map(({ amount }) => amount)).toEqual(amounts.toSorted().toReversed())
  })

  it('go on by a cursor of the same order only', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    await book(me, account)
    await book(me, account)
    for (const sort of SORTS) {
      const first = await ok(listTransactions, { as: me, query: { sort, limit: 1 } })
      const cursor = first.nextCursor ?? ''
      for (const other of SORTS) {
        const answer = await call(listTransactions, { as: me, query: { sort: other, cursor } })
        expect(answer.status === 200 ? 200 : refusal(answer), `${sort} ${other}`).toEqual(
          other === sort ? 200 : [400, 'request.invalidCursor', 'cursor'],
        )
      }
    }
    const { nextCursor } = await ok(listTransactions, { as: me, query: { limit: 1 } })
    const spelled = { sort: '-date', totals: 'true', cursor: nextCursor ?? '' }
    expect((await call(listTransactions, { as: me, query: spelled })).status).toBe(200)
  })
})

describe('totals', () => {
  const totalsOf = async (as: Principal, query: Record<string, string | number> = {}) => {
    const answer = await call(listTransactions, { as, query: { totals: 'true', ...query } })
    expect(tripsOf(answer)).toBe(1)
    return answer.body.totals
  }

  it('sum up what matches by currency, not the page, and exactly', async () => {
    const me = await newUser()
    const [eur, other, yen] = await Promise.all(
      ['EUR', 'EUR', 'JPY'].map((currency) => newAccount(me, { currency })),
    )
    const most = { amount: '90071992547409.91', date: '2026-01-01' }
    const on = (account: { id: string } | undefined, wanted: Parameters<typeof book>[2]) =>
      book(me, account ?? { id: '' }, wanted)
    await on(eur, { ...most, kind: 'income' })
    await on(other, { ...most, kind: 'income' })
    await on(eur, { amount: '0.02', date: '2026-01-02', description: 'alpha' })
    await on(eur, { amount: '7', date: '2026-01-03', status: 'void', description: 'alpha' })
    await on(yen, { amount: '12', date: '2026-01-02', description: 'alpha' })
    const euro = (inflow: string, outflow: string, net: string, count: number) => ({
      currency: 'EUR',
      inflow,
      outflow,
      net,
      count,
    })
    const yens = { currency: 'JPY', inflow: '0', outflow: '12', net: '-12', count: 1 }
    const all = euro('180143985094819.82', '0.02', '180143985094819.80', 4)
    expect(await totalsOf(me)).toEqual([all, yens])
    expect(await totalsOf(me, { limit: 1 })).toEqual([all, yens])
    expect(await totalsOf(me, { kind: 'income' })).toEqual([
      euro('180143985094819.82', '0.00', '180143985094819.82', 2),
    ])
    const some = [euro('0.00', '0.02', '-0.02', 2), yens]
    expect(await totalsOf(me, { text: 'alpha' })).toEqual(some)
    expect(await totalsOf(me, { from: '2026-01-02' })).toEqual(some)
    expect(await totalsOf(me, { from: '2026-01-02', text: 'alpha', sort: 'amount' })).toEqual(some)
    expect(await totalsOf(me, { currency: 'JPY' })).toEqual([yens])
    expect(await totalsOf(me, { from: '2027-01-01' })).toEqual([])
    expect(await totalsOf(me, { text: 'nowhere' })).toEqual([])
    expect(await totalsOf(await newUser())).toEqual([])
  })

  it('are of the accounts only that a token is for', async () => {
    const me = await newUser()
    const [one, two] = [await newAccount(me), await newAccount(me, { currency: 'JPY' })]
    await book(me, one)
    await book(me, two, { amount: '5' })
    const json = { name: 'One', scopes: ['read' as const], accountIds: [one.id] }
    const { token: accessToken } = await ok(createAccessToken, { as: me, json })
    for (const query of [{}, { kind: 'expense' }, { from: '2026-01-02' }]) {
      const totals = await totalsOf({ accessToken }, query)
      expect(totals?.map(({ currency, net }) => [currency, net])).toEqual([['EUR', '-12.30']])
    }
  })

  it('are there only when asked for, and count what is counted', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    await book(me, account)
    await book(me, account)
    for (const query of [{}, { totals: 'false' }]) {
      const answer = await ok(listTransactions, { as: me, query })
      expect(Object.keys(answer)).toEqual(['transactions', 'count', 'nextCursor'])
    }
    for (const query of [{}, { kind: 'expense' }]) {
      const { count, totals } = await ok(listTransactions, {
        as: me,
        query: { ...query, totals: 'true', limit: 1 },
      })
      expect([count, totals?.[0]?.count]).toEqual([2, 2])
    }
  })
})
