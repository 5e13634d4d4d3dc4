import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  createAccount,
  getAccountByID,
  updateAccount,
  getCardCycle,
  getCardStatement,
  listCardStatements,
} from '../../../src/areas/money/accounts/accounts.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { addDays, addMonths } from '../../../src/domain/calendar.ts'
import { call, ok } from '../../support/api.ts'
import { randomFrom } from '../../support/random.ts'
import { SEED } from '../../support/rounds.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { again, on } from '../audit-log/old-log.ts'
import { share } from '../sharing/sharing.ts'
import { book, newCategory, refusal, tripsOf } from '../transactions/booking.ts'

afterEach(() => vi.useRealTimers())

const newCard = (me: TestUser, wanted: Parameters<typeof newAccount>[1] = {}) =>
  newAccount(me, {
    ...{ type: 'creditCard', openingDate: '2026-02-01', creditLimit: '3000' },
    ...{ statementDay: 18, dueDay: 10, minimumPercent: '3', minimumAmount: '25' },
    ...wanted,
  })

/** The charges, the refund and the payments of the worked example. */
async function workedExample() {
  const me = await newUser()
  const card = await newCard(me)
  const everyday = await newAccount(me, { openingBalance: '2000', openingDate: '2026-02-01' })
  const food = await newCategory(me)
  const pay = (date: string, amount: string) =>
    ok(createTransfer, {
      as: me,
      json: { fromAccountId: everyday.id, toAccountId: card.id, date, amount },
    })
  await book(me, card, { date: '2026-02-25', amount: '250', categoryId: food.id })
  await book(me, card, { date: '2026-03-18', amount: '150', categoryId: food.id })
  await book(me, card, { date: '2026-03-22', amount: '60', categoryId: food.id })
  await book(me, card, { kind: 'income', date: '2026-03-22', amount: '35', categoryId: food.id })
  await pay('2026-04-02', '100')
  await pay('2026-04-08', '300')
  await book(me, card, { date: '2026-04-15', amount: '80', categoryId: food.id })
  return { me, card, food, everyday }
}

describe('the cycle of a card', () => {
  it.each([
    ['2026-03-18', '-400.00', '0.00', '400.00', '25.00', '0.00', '0.00', 'open', 31],
    ['2026-03-25', '-425.00', '0.00', '400.00', '25.00', '35.00', '60.00', 'open', 24],
    ['2026-04-02', '-325.00', '100.00', '300.00', '0.00', '35.00', '60.00', 'open', 16],
    ['2026-04-08', '-25.00', '400.00', '0.00', '0.00', '35.00', '60.00', 'paid', 10],
    ['2026-04-15', '-105.00', '400.00', '0.00', '0.00', '35.00', '140.00', 'paid', 3],
  ])(
    'on %s has a balance of %s, %s paid and %s due',
    async (today, balance, paid, amountDue, minimumDue, refunds, charges, state, daysLeft) => {
      const { me, card } = await workedExample()
      const answer = await call(getCardCycle, { as: await on(today, me), id: card.id })
      expect(answer.body).toEqual({
        ...{ accountId: card.id, currency: 'EUR', creditLimit: '3000.00' },
        available: (3000 + Number(balance)).toFixed(2),
        cycle: {
          ...{ from: '2026-03-19', to: '2026-04-18', daysLeft },
          ...{ charges, refunds, payments: paid, balance },
        },
        statement: {
          ...{ statementDate: '2026-03-18', from: '2026-02-19', dueDate: '2026-04-10' },
          ...{ statementBalance: '400.00', minimum: '25.00' },
          ...{ paid, amountDue, minimumDue, refunds, charges, state },
        },
      })
      expect(tripsOf(answer)).toBe(1)
    },
  )

  it('has no statement before the first statement day', async () => {
    const me = await newUser()
    const card = await newCard(me, { creditLimit: null, openingBalance: '-30' })
    await book(me, card, { date: '2026-02-17', amount: '5' })
    const found = await ok(getCardCycle, { as: await on('2026-02-17', me), id: card.id })
    expect(found).toMatchObject({ statement: null, creditLimit: null, available: null })
    expect(found.cycle).toEqual({
      ...{ from: '2026-01-19', to: '2026-02-18', daysLeft: 1, balance: '-35.00' },
      ...{ charges: '5.00', refunds: '0.00', payments: '0.00' },
    })
  })

  it('goes by the day of the user', async () => {
    const me = await newUser({ timeZone: 'Pacific/Kiritimati' })
    const card = await newCard(me)
    await book(me, card, { date: '2026-03-18', amount: '10' })
    const there = await ok(getCardCycle, { as: await on('2026-03-17', me), id: card.id })
    expect(there.statement).toMatchObject({
      statementDate: '2026-03-18',
      statementBalance: '10.00',
    })
  })

  it('leaves what is pending out of the statement, and takes it off what is available', async () => {
    const me = await newUser()
    const card = await newCard(me)
    await book(me, card, { date: '2026-03-01', amount: '20' })
    await book(me, card, { date: '2026-03-02', amount: '7', status: 'pending' })
    await book(me, card, { date: '2026-03-03', amount: '9', status: 'void' })
    const found = await ok(getCardCycle, { as: await on('2026-03-18', me), id: card.id })
    expect(found).toMatchObject({
      available: '2973.00',
      statement: { statementBalance: '20.00', amountDue: '20.00' },
    })
  })

  it('counts parts by what they are', async () => {
    const { me, card, food, everyday } = await workedExample()
    const salary = await newCategory(me, 'income')
    await book(me, card, {
      ...{ kind: 'income', date: '2026-04-20', amount: '90' },
      splits: [
        { amount: '50', categoryId: food.id },
        { amount: '10', categoryId: salary.id },
        { amount: '10' },
        { amount: '20', transferAccountId: everyday.id },
      ],
    })
    await book(me, card, {
      ...{ date: '2026-04-20', amount: '30' },
      splits: [
        { amount: '18', categoryId: food.id },
        { amount: '12', transferAccountId: everyday.id },
      ],
    })
    const { cycle } = await ok(getCardCycle, { as: await on('2026-04-20', me), id: card.id })
    expect(cycle).toMatchObject({ charges: '30.00', refunds: '50.00', payments: '40.00' })
  })
})

/** All statements, by pages of so many. */
async function pagesOf(as: TestUser, { id }: { id: string }, limit: number) {
  const all = await ok(listCardStatements, { as, id, query: { limit: 200 } })
  const found: typeof all.statements = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = { limit, ...(cursor === undefined ? {} : { cursor }) }
    const { body, headers } = await call(listCardStatements, { as, id, query })
    expect(tripsOf({ headers })).toBe(1)
    expect(body).toMatchObject({ count: all.statements.length, current: all.current })
    found.push(...(body as typeof all).statements)
    cursor = (body as typeof all).nextCursor
  }
  return found
}

describe('the statements of a card', () => {
  it('are listed newest first, in pages of one round trip', async () => {
    const { me, card } = await workedExample()
    const as = await on('2028-04-17', me)
    const all = await ok(listCardStatements, { as, id: card.id, query: { limit: 200 } })
    expect(all.count).toBe(26)
    expect(all.statements.map(({ statementDate }) => statementDate)).toEqual(
      Array.from({ length: 26 }, (_, at) => addMonths('2028-03-18', -at)),
    )
    expect(all.statements.slice(-3).map((one) => [one.statementBalance, one.paid])).toEqual([
      ['105.00', '0.00'],
      ['400.00', '400.00'],
      ['0.00', '400.00'],
    ])
    expect(await pagesOf(as, card, 7)).toEqual(all.statements)
  })

  it('say of any statement day what the transactions give', async () => {
    const me = await newUser()
    const card = await newCard(me, { openingDate: '2024-01-01' })
    const food = await newCategory(me)
    const { below, whole } = randomFrom(SEED)
    const booked: { date: string; kind: number; cents: number }[] = []
    for (let at = 0; at < 60; at++) {
      const date = addDays('2024-01-01', below(800))
      const [kind, cents] = [below(3), whole(1, 5000)]
      booked.push({ date, kind, cents })
      await book(me, card, {
        ...{ date, amount: (cents / 100).toFixed(2), kind: kind === 0 ? 'expense' : 'income' },
        ...(kind === 2 ? {} : { categoryId: food.id }),
      })
    }
    const sum = (kinds: number[], holds: (date: string) => boolean) =>
      booked.reduce(
        (total, { date, kind, cents }) => total + (kinds.includes(kind) && holds(date) ? cents : 0),
        0,
      )
    const today = '2026-02-14'
    for (const statementDay of [1, 13, 14, 15, 28, 31]) {
      await ok(updateAccount, { as: me, id: card.id, json: { statementDay } })
      const as = await on(today, me)
      const pages = await pagesOf(as, card, 11)
      expect(pages.length).toBeGreaterThan(24)
      for (const { statementDate, ...told } of pages) {
        const isSince = (date: string) => date > statementDate && date <= today
        const isBefore = (date: string) => date <= statementDate
        const owed = sum([0], isBefore) - sum([1, 2], isBefore)
        expect([
          statementDate,
          told.statementBalance,
          told.charges,
          told.refunds,
          told.paid,
        ]).toEqual([
          statementDate,
          ...[Math.max(0, owed), sum([0], isSince), sum([1], isSince), sum([2], isSince)].map(
            (cents) => (cents / 100).toFixed(2),
          ),
        ])
      }
      vi.useRealTimers()
    }
  })

  it('have the transactions of their cycle', async () => {
    const { me, card } = await workedExample()
    const as = await on('2026-04-18', me)
    const one = await ok(getCardStatement, { as, path: { id: card.id, date: '2026-04-18' } })
    expect(one).toMatchObject({ from: '2026-03-19', statementBalance: '105.00', count: 5 })
    expect(one.transactions.map(({ date, amount }) => [date, amount])).toEqual([
      ['2026-04-15', '80.00'],
      ['2026-04-08', '300.00'],
      ['2026-04-02', '100.00'],
      ...[expect.anything(), expect.anything()],
    ])
    const [listed] = (await ok(listCardStatements, { as, id: card.id })).statements
    expect(one).toMatchObject(listed ?? {})
    const query = { limit: 4 }
    const first = await call(getCardStatement, {
      as,
      path: { id: card.id, date: '2026-04-18' },
      query,
    })
    expect(tripsOf(first)).toBe(1)
    const { nextCursor } = first.body as typeof one
    const rest = await ok(getCardStatement, {
      ...{ as, path: { id: card.id, date: '2026-04-18' } },
      query: { ...query, cursor: nextCursor ?? '' },
    })
    expect(rest).toMatchObject({ count: 5, nextCursor: null })
    expect(rest.transactions).toEqual(one.transactions.slice(4))
  })

  it('begin after the last day of a shorter month', async () => {
    const me = await newUser()
    const card = await newCard(me, { statementDay: 31, openingDate: '2026-01-01' })
    await book(me, card, { date: '2026-01-30', amount: '1' })
    await book(me, card, { date: '2026-01-31', amount: '2' })
    await book(me, card, { date: '2026-02-01', amount: '4' })
    await book(me, card, { date: '2026-02-28', amount: '8' })
    const as = await on('2026-03-01', me)
    const one = await ok(getCardStatement, { as, path: { id: card.id, date: '2026-02-28' } })
    expect(one).toMatchObject({ from: '2026-02-01', statementBalance: '15.00', count: 2 })
    expect(one.transactions.map(({ amount }) => amount)).toEqual(['8.00', '4.00'])
    expect(one.nextCursor).toBeNull()
  })

  it('are refused of days without one, of other accounts, and of those of others', async () => {
    const { me, card, everyday } = await workedExample()
    const other = await newUser()
    const plain = await newAccount(me, { type: 'lineOfCredit' })
    const as = await on('2026-04-20', me)
    const [stranger, id] = [await again(other), card.id]
    const statement = (date: string) => call(getCardStatement, { as, path: { id, date } })
    const answers = [
      ...[await statement('2026-04-17'), await statement('2026-01-18')],
      ...[await statement('2026-05-18'), await statement('2026-02-30')],
      await call(getCardCycle, { as: stranger, id }),
      await call(listCardStatements, { as: stranger, id }),
      await call(getCardStatement, { as: stranger, path: { id, date: '2026-04-18' } }),
      await call(getCardCycle, { as, id: everyday.id }),
      await call(listCardStatements, { as, id: everyday.id }),
      await call(getCardStatement, { as, path: { id: everyday.id, date: '2026-04-18' } }),
      await call(getCardCycle, { as, id: plain.id }),
      await call(listCardStatements, { as, id: plain.id }),
      await call(getCardStatement, { as, path: { id: plain.id, date: '2026-04-18' } }),
    ]
    expect(answers.map(({ status, error }) => `${status} ${error.code}`)).toEqual([
      ...Array.from({ length: 3 }, () => '404 cards.statementNotFound'),
      '400 request.invalid',
      ...Array.from({ length: 3 }, () => '404 accounts.notFound'),
      ...Array.from({ length: 3 }, () => '400 cards.wrongAccountType'),
      ...Array.from({ length: 3 }, () => '400 cards.noStatementDay'),
    ])
  })

  it('show who receives the account its sums, and no private transaction', async () => {
    const { me, card, food } = await workedExample()
    const friend = await newUser()
    await share(me, card, friend)
    await book(me, card, {
      ...{ date: '2026-04-16', amount: '11', private: true, categoryId: food.id },
    })
    const as = await on('2026-04-18', me)
    const date = '2026-04-18'
    const own = await ok(getCardStatement, { as, path: { id: card.id, date } })
    const seen = await ok(getCardStatement, {
      as: await again(friend),
      path: { id: card.id, date },
    })
    expect([own.count, seen.count]).toEqual([6, 5])
    expect(seen.transactions).toHaveLength(5)
    expect([own.statementBalance, seen.statementBalance]).toEqual(['116.00', '116.00'])
    expect(seen.transactions.map(({ date: day }) => day)).not.toContain('2026-04-16')
  })
})

describe('the terms of a card', () => {
  it('are stored, changed and cleared', async () => {
    const me = await newUser()
    const card = await newCard(me, { dueDay: null, dueAfterDays: 21, dueWeekend: 'keep' })
    const told = {
      ...{ statementDay: 18, dueDay: null, dueAfterDays: 21, dueWeekend: 'keep' },
      ...{ minimumPercent: '3', minimumAmount: '25.00' },
    }
    expect(card).toMatchObject(told)
    expect(await ok(getAccountByID, { as: me, id: card.id })).toMatchObject(told)
    const cleared = await ok(updateAccount, {
      ...{ as: me, id: card.id },
      json: {
        ...{ dueDay: 5, dueAfterDays: null, dueWeekend: null },
        ...{ minimumPercent: null, minimumAmount: null },
      },
    })
    expect(cleared).toMatchObject({
      ...{ statementDay: 18, dueDay: 5, dueAfterDays: null, dueWeekend: 'after' },
      ...{ minimumPercent: null, minimumAmount: null },
    })
    expect(await newAccount(me)).toMatchObject({ dueWeekend: null, minimumAmount: null })
  })

  it.each([
    [{ dueAfterDays: 21 }, '400 accounts.dueTwice dueAfterDays'],
    [{ type: 'checking' }, '400 accounts.cardsOnly minimumPercent'],
    [{ currency: 'JPY', creditLimit: null }, '400 accounts.minimumAmountNeeded minimumAmount'],
    [{ minimumAmount: '1.234' }, '400 money.tooManyDigits minimumAmount'],
    [{ creditLimit: '-1' }, '400 money.negative creditLimit'],
    [{ minimumAmount: '-1' }, '400 request.invalid minimumAmount'],
    [{ minimumPercent: '100.01' }, '400 request.invalid minimumPercent'],
    [{ minimumPercent: '2.125' }, '400 request.invalid minimumPercent'],
    [{ dueAfterDays: 61 }, '400 request.invalid dueAfterDays'],
    [{ dueAfterDays: 0 }, '400 request.invalid dueAfterDays'],
  ] as const)('refuse %j', async (json, refused) => {
    const me = await newUser()
    const card = await newCard(me)
    expect(refusal(await call(updateAccount, { as: me, id: card.id, json })).join(' ')).toBe(
      refused,
    )
  })

  it.each(['dueAfterDays', 'dueWeekend', 'minimumPercent', 'minimumAmount'] as const)(
    'are not those of other accounts: %s',
    async (field) => {
      const me = await newUser()
      const values = {
        ...{ dueAfterDays: 5, dueWeekend: 'keep', minimumPercent: '1', minimumAmount: '1' },
      } as const
      const json = { name: 'Cash', type: 'cash', currency: 'EUR', [field]: values[field] } as const
      expect(refusal(await call(createAccount, { as: me, json })).join(' ')).toBe(
        `400 accounts.cardsOnly ${field}`,
      )
    },
  )
})
