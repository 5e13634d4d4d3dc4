import { describe, expect, it } from 'vitest'
import { createTransactions } from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import { createTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { costOf } from '../../support/samples.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { expenseOn } from '../transactions/booking.ts'
import { AMZN_RAW, newRule } from './ruling.ts'

let statements: number[] = []
const service = serviceWith({
  aroundTrips: (_, run, count) => {
    statements.push(count)
    return run()
  },
})

type Draft = Parameters<typeof expenseOn>[1]

/** The statements of each trip of a booking, and the rows that it reads. */
async function costIn(me: TestUser, route: typeof createTransaction, json: object) {
  statements = []
  const { status, headers } = await service.call(route, { as: me, json })
  expect(status).toBeLessThan(300)
  return { statements, rowsRead: costOf(headers).rowsRead }
}

type Way = (me: TestUser, more: { applyRules?: false }) => ReturnType<typeof costIn>

/** Bookings that read first: each on an account that is new to the process. */
const WAYS: Record<string, Way> = {
  alone: async (me, more) =>
    costIn(me, createTransaction, { ...expenseOn(await newAccount(me)), ...more }),
  'by the name of the account': async (me, more) => {
    const { accountId: _, ...draft } = expenseOn(
      await newAccount(me, { name: `Named ${++serial}` }),
    )
    return costIn(me, createTransaction, { ...draft, accountName: `Named ${serial}`, ...more })
  },
  'in bulk': async (me, more) => {
    const account = await newAccount(me)
    const transactions = [expenseOn(account), expenseOn(account)]
    return costIn(me, createTransactions as never, { transactions, ...more })
  },
  'as a transfer': async (me, { applyRules }) => {
    const [from, to] = [await newAccount(me), await newAccount(me)]
    const ends = { fromAccountId: from.id, toAccountId: to.id }
    const json = { ...ends, amount: '5', date: '2026-11-20', applyRules }
    return costIn(me, createTransfer as never, json)
  },
}
let serial = 0

describe.each(Object.entries(WAYS))('a booking that reads first, %s', (_, book) => {
  /** How much more it costs than without rules; each account that there is makes a row more to look at. */
  const excess = async (me: TestUser) => {
    const found = await book(me, {})
    const withoutRules = await book(me, { applyRules: false })
    return {
      statements: found.statements.map((count, at) => count - (withoutRules.statements[at] ?? 0)),
      rows: Math.max(0, found.rowsRead - withoutRules.rowsRead),
    }
  }
  const NONE = { statements: [0, 0], rows: 0 }

  it('costs no statement, row or trip more where there are no rules', async () => {
    const me = await newUser()
    await book(me, {})
    expect(await excess(me)).toEqual(NONE)
  })

  it('costs a read more where there are rules, until they are kept', async () => {
    const me = await newUser()
    await newRule(me)
    const withoutRules = await book(me, { applyRules: false })
    const first = await book(me, {})
    const more = first.statements.flat().length - withoutRules.statements.flat().length
    expect(more).toBeLessThanOrEqual(1)
    expect(await excess(me)).toEqual(NONE)
  })
})

describe('a rule that makes transfers', () => {
  it('costs only the bookings that it makes transfers of', async () => {
    const me = await newUser()
    const [account, savings] = [await newAccount(me), await newAccount(me)]
    await newRule(me, { condition: AMZN_RAW, changes: { transferAccountId: savings.id } })
    const trips = async (more: Draft = {}) =>
      (await costIn(me, createTransaction, expenseOn(account, more))).statements.length
    const payeeRaw = 'AMZN Mktp'
    await trips({ payeeRaw })
    const found = [await trips(), await trips({ payeeRaw: 'REWE' }), await trips()]
    expect([...found, await trips({ payeeRaw })]).toEqual([1, 2, 1, 2])
  })
})
