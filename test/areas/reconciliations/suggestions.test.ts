import { beforeAll, describe, expect, it } from 'vitest'
import { suggestForReconciliation } from '../../../src/areas/intake/suggestions/suggestions.routes.ts'
import { updateImportRows } from '../../../src/areas/intake/imports/imports.routes.ts'
import {
  deleteTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  deleteTransfer,
  matchTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, fetchRaw, ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { committed, ofx, uploaded } from '../imports/importing.ts'
import { share } from '../sharing/sharing.ts'
import { book, change, refusal, tripsOf } from '../transactions/booking.ts'
import { finish, look, MARCH, newMarch, start, tick, undo } from './reconciling.ts'

// Examples 1 to 4, and what follows from calling what is suggested.

const suggest = (as: Principal, { id }: { id: string }) =>
  call(suggestForReconciliation, { as, id })

const suggestionsOf = async (as: Principal, session: { id: string }) =>
  (await suggest(as, session)).body.suggestions

type Suggestion = Awaited<ReturnType<typeof suggestionsOf>>[number]

/** Sends what a suggestion says, word for word. */
async function carryOut(as: Principal, { calls }: Suggestion): Promise<void> {
  expect(calls.length).toBeGreaterThan(0)
  for (const { method, path, body } of calls) {
    const answer = await fetchRaw(path, {
      method,
      headers: {
        Authorization: `Bearer ${as.accessToken}`,
        ...(body === null ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === null ? {} : { body: JSON.stringify(body) }),
    })
    expect(answer.status, `${method} ${path} ${await answer.text()}`).toBeLessThan(300)
  }
}

const DATE = '2026-03-10'
const STATEMENT = { statementDate: '2026-03-31', closingBalance: '0' }

let me: TestUser

beforeAll(async () => {
  me = await newUser()
})

/** An account with rows, of which cleared ones are ticked, and a statement that differs from them by so much. */
async function differing(difference: string, wanted: [amount: string, status?: 'cleared'][]) {
  const account = await newAccount(me)
  const booked = []
  for (const [amount, status = 'uncleared'] of wanted) {
    const kind = amount.startsWith('-') ? 'expense' : 'income'
    booked.push(
      await book(me, account, { kind, date: DATE, amount: amount.replace('-', ''), status }),
    )
  }
  const session = await start(me, account, STATEMENT)
  const closing = Number(session.clearedBalance) + Number(difference)
  await tick(me, session, { closingBalance: closing.toFixed(2) })
  return { account, session, booked }
}

/** What is booked on an account. */
const amountsOn = async ({ id: accountId }: { id: string }) =>
  (await ok(listTransactions, { as: me, query: { accountId } })).transactions
    .map(({ signedAmount }) => signedAmount)
    .toSorted()

it('finds the coffee of example 1 in one trip, and nothing once there is no difference', async () => {
  const { everyday, coffee } = await newMarch(me)
  const march = await start(me, everyday, MARCH)
  const found = await suggest(me, march)
  expect(tripsOf(found)).toBe(1)
  expect(found.body).toMatchObject({
    ...{ currency: 'EUR', difference: '-3.00' },
    suggestions: [
      {
        ...{ kind: 'tick', score: 0.85, effect: '-3.00', others: 0, toAmount: null },
        rows: [
          {
            ...{ id: coffee.id, date: '2026-03-30', amount: '-3.00' },
            ...{ description: null, payeeId: null, payeeRaw: null },
          },
        ],
        note: null,
        calls: [
          { method: 'PATCH', path: `/reconciliation/${march.id}`, body: { tick: [coffee.id] } },
        ],
      },
    ],
  })
  const refused = await finish(me, march)
  expect(refused.error.error).toContain(`GET /reconciliation/${march.id}/suggestion`)
  await carryOut(me, found.body.suggestions[0] as Suggestion)
  expect((await suggest(me, march)).body).toMatchObject({ difference: '0.00', suggestions: [] })
  expect((await finish(me, march)).status).toBe(200)
  expect(await suggestionsOf(me, march)).toEqual([])
})

it.each([
  ['sign', '40.00', [['-20', 'cleared']], '20.00'],
  ['transposed', '-9.00', [['-45', 'cleared']], '-54.00'],
  ['shifted', '44.91', [['-49.90', 'cleared']], '-4.99'],
  [
    'untick',
    '7.00',
    [
      ['-7', 'cleared'],
      ['-5', 'cleared'],
    ],
    null,
  ],
] as const)(
  'what it says of %s of %s makes the difference zero',
  async (kind, difference, rows, to) => {
    const { session } = await differing(difference, [...rows] as [string, 'cleared'][])
    const [best, ...others] = await suggestionsOf(me, session)
    expect([best?.kind, best?.toAmount, others]).toEqual([kind, to, []])
    await carryOut(me, best as Suggestion)
    expect(await look(me, session)).toMatchObject({ difference: '0.00' })
  },
)

it.each([
  ['pair', '-19.50', ['-12.00', '-7.50']],
  ['pair', '-8.00', ['-12.00', '4.00']],
  ['pair', '-10.50', ['-3.00', '-7.50']],
  ['triple', '-6.50', ['-3.00', '-7.50', '4.00']],
] as const)('ticks the %s of example 3 that makes %s', async (kind, difference, amounts) => {
  const { session } = await differing(difference, [['-3'], ['-7.50'], ['-12'], ['4']])
  const [best, ...others] = await suggestionsOf(me, session)
  expect(best).toMatchObject({ kind, effect: difference })
  expect(best?.rows.map(({ amount }) => amount).toSorted()).toEqual(amounts)
  expect(others).toEqual([])
  await carryOut(me, best as Suggestion)
  expect(await look(me, session)).toMatchObject({ difference: '0.00' })
})

it('finds rows that are alike, void or late', async () => {
  const twice = await differing('7.00', [
    ['-7', 'cleared'],
    ['-7', 'cleared'],
  ])
  const found = await suggestionsOf(me, twice.session)
  expect(found.map(({ kind, others }) => [kind, others])).toEqual([
    ['duplicate', 0],
    ['untick', 1],
  ])
  await carryOut(me, found[0] as Suggestion)
  expect(await look(me, twice.session)).toMatchObject({ difference: '0.00' })
  expect(await amountsOn(twice.account)).toEqual(['-7.00'])

  for (const more of [{ status: 'void' }, { date: '2026-04-09', status: 'uncleared' }] as const) {
    const { account, session } = await differing('-6.00', [['-1', 'cleared']])
    await book(me, account, { date: DATE, amount: '6', ...more })
    const [best] = await suggestionsOf(me, session)
    expect(best).toMatchObject({ kind: 'status', score: 0.6 })
    await carryOut(me, best as Suggestion)
    expect(await look(me, session)).toMatchObject({ difference: '0.00' })
  }
})

it('finds what was changed by force since, and else since when the account is wrong', async () => {
  const { account, session, booked } = await differing('0', [
    ['-10', 'cleared'],
    ['-1', 'cleared'],
  ])
  await finish(me, session)
  const next = await start(me, account, {
    ...{ statementDate: '2026-04-30', closingBalance: '-11.00' },
  })
  await change(me, booked[0] ?? account, { amount: '12.30', force: true })
  const found = await suggestionsOf(me, next)
  expect(found).toMatchObject([
    { kind: 'drift', score: 0.9, rows: [{ id: booked[0]?.id, amount: '-2.30' }] },
  ])
  await carryOut(me, found[0] as Suggestion)
  expect(await look(me, next)).toMatchObject({ difference: '0.00', drift: [] })
  await tick(me, next, { closingBalance: '-500' })
  await change(me, booked[0] ?? account, { amount: '17.77', force: true })
  const [age] = await suggestionsOf(me, next)
  expect(age).toMatchObject({ kind: 'age', date: '2026-03-31', effect: '0.00', score: 0.2 })
})

describe('with an import', () => {
  const file = ofx([
    { id: 'one', date: DATE, amount: '-19.99', name: 'Shop' },
    { id: 'two', date: DATE, amount: '-8.50', name: 'Fee' },
  ])

  it('ticks what the import booked, and finds what the bank says otherwise', async () => {
    const account = await newAccount(me)
    const { id: importId } = await uploaded(me, file, { accountId: account.id })
    await committed(me, importId)
    await book(me, account, { date: DATE, amount: '99', status: 'cleared' })
    const session = await start(me, account, {
      ...{ statementDate: '2026-03-31', closingBalance: '-28.49', prefill: 'import', importId },
    })
    expect(session).toMatchObject({
      importId,
      difference: '0.00',
      rows: { ticked: 2, unticked: 1 },
    })
    const { transactions } = await ok(listTransactions, {
      ...{ as: me, query: { accountId: account.id, amountFrom: '19.99', amountTo: '19.99' } },
    })
    await change(me, transactions[0] ?? account, { amount: '20.00' })
    const [best] = await suggestionsOf(me, session)
    expect(best).toMatchObject({ kind: 'bankSays', score: 0.95, toAmount: '-19.99' })
    await carryOut(me, best as Suggestion)
    expect(await look(me, session)).toMatchObject({ difference: '0.00' })

    const other = await newAccount(me)
    await change(me, transactions[0] ?? account, { accountId: other.id })
    const [elsewhere] = await suggestionsOf(me, session)
    expect(elsewhere).toMatchObject({ kind: 'otherAccount', score: 0.55 })
    await carryOut(me, elsewhere as Suggestion)
    expect(await look(me, session)).toMatchObject({ difference: '0.00' })
  })

  /** An account with the file booked, of which the fee is in the trash, and a session with the statement. */
  async function withFeeInTrash() {
    const account = await newAccount(me)
    const { id } = await uploaded(me, file, { accountId: account.id })
    await committed(me, id)
    const { transactions } = await ok(listTransactions, {
      as: me,
      query: { accountId: account.id },
    })
    const fee = transactions.find(({ amount }) => amount === '8.50') ?? account
    await ok(deleteTransaction, { as: me, id: fee.id })
    return { account, fee, importId: id }
  }
  const BOOKED = ['-19.99', '-8.50']

  it('brings back what the bank tells of and is in the trash', async () => {
    const { account, fee, importId } = await withFeeInTrash()
    const session = await start(me, account, {
      ...{ statementDate: '2026-03-31', closingBalance: '-28.49', prefill: 'import', importId },
    })
    const found = await suggestionsOf(me, session)
    expect(found).toMatchObject([
      {
        ...{ kind: 'notBooked', score: 0.9, rows: [{ id: fee.id, date: DATE, amount: '-8.50' }] },
        calls: [
          { method: 'POST', path: `/trash/transaction/${fee.id}/restore`, body: null },
          { path: `/reconciliation/${session.id}`, body: { tick: [fee.id] } },
        ],
      },
    ])
    // The trash is the owner's.
    const writer = await newUser()
    await share(me, account, writer, { permission: 'write' })
    expect(await suggestionsOf(writer, session)).toEqual([])
    await carryOut(me, found[0] as Suggestion)
    expect(await look(me, session)).toMatchObject({ difference: '0.00', rows: { ticked: 2 } })
    expect(await amountsOn(account)).toEqual(BOOKED)
  })

  it('finds what is missing together with what is there twice', async () => {
    const { account, fee } = await withFeeInTrash()
    const again = await book(me, account, { date: DATE, amount: '19.99', status: 'cleared' })
    const session = await start(me, account, { ...STATEMENT, closingBalance: '-28.49' })
    const [best] = await suggestionsOf(me, session)
    expect(best).toMatchObject({ kind: 'pair', score: 0.5, effect: '11.49' })
    expect(best?.rows.map(({ amount }) => amount)).toEqual(['-8.50', '-19.99'])
    expect(best?.calls.map(({ path }) => path)).toEqual([
      `/trash/transaction/${fee.id}/restore`,
      `/reconciliation/${session.id}`,
      '/transaction/duplicate/merge',
    ])
    await carryOut(me, best as Suggestion)
    expect(await look(me, session)).toMatchObject({ difference: '0.00', rows: { ticked: 2 } })
    expect(await amountsOn(account)).toEqual(BOOKED)
    expect((await finish(me, session)).status, again.id).toBe(200)
  })

  it('finds a transfer in the trash by the row that the bank tells of, and takes off another row', async () => {
    const [account, savings] = [await newAccount(me), await newAccount(me)]
    const { id } = await uploaded(me, file, { accountId: account.id })
    await committed(me, id)
    const { transactions } = await ok(listTransactions, {
      ...{ as: me, query: { accountId: account.id, amountFrom: '8.50', amountTo: '8.50' } },
    })
    const arrived = await book(me, savings, { kind: 'income', date: DATE, amount: '8.50' })
    const moved = await ok(matchTransfer, {
      ...{
        as: me,
        json: { fromTransactionId: transactions[0]?.id ?? '', toTransactionId: arrived.id },
      },
    })
    await ok(deleteTransfer, { as: me, id: moved.id })
    await book(me, account, { date: '2026-03-20', amount: '4', status: 'cleared' })
    const session = await start(me, account, { ...STATEMENT, closingBalance: '-28.49' })
    const [best] = await suggestionsOf(me, session)
    expect(best).toMatchObject({ kind: 'pair', effect: '-4.50', rows: [{ amount: '-8.50' }, {}] })
    await carryOut(me, best as Suggestion)
    expect(await look(me, session)).toMatchObject({ difference: '0.00' })
    expect(await amountsOn(account)).toEqual(['-19.99', '-4.00', '-8.50'])
  })

  it('takes two rows that the bank told of for two things', async () => {
    const account = await newAccount(me)
    const rows = ['one', 'two'].map((id) => ({ id, date: DATE, amount: '-3', name: 'Coffee' }))
    const { id } = await uploaded(me, ofx(rows), { accountId: account.id })
    await committed(me, id)
    const session = await start(me, account, { ...STATEMENT, closingBalance: '-3' })
    expect(await suggestionsOf(me, session)).toMatchObject([{ kind: 'untick', others: 1 }])
  })

  it('takes a typed row for wrong before rows that are as the bank told them', async () => {
    const account = await newAccount(me)
    const rows = [
      { id: 'one', date: '2026-03-20', amount: '-4.50', name: 'Bread' },
      { id: 'two', date: '2026-03-25', amount: '2734.50', name: 'Salary' },
    ]
    const { id } = await uploaded(me, ofx(rows), { accountId: account.id })
    await committed(me, id)
    const typed = await book(me, account, { date: DATE, amount: '21.99', status: 'cleared' })
    const session = await start(me, account, { ...STATEMENT, closingBalance: '2717.01' })
    const found = await suggestionsOf(me, session)
    expect(found.map(({ kind, score, rows: [row] }) => [kind, score, row?.amount])).toEqual([
      ['transposed', 0.7, '-21.99'],
      ['sign', 0.3, '-4.50'],
      ['transposed', 0.25, '2734.50'],
    ])
    expect(found[0]).toMatchObject({ toAmount: '-12.99', rows: [{ id: typed.id }] })
    await carryOut(me, found[0] as Suggestion)
    expect(await look(me, session)).toMatchObject({ difference: '0.00' })
    // A row that was changed since is as suspicious as one that was typed.
    const { transactions } = await ok(listTransactions, {
      ...{ as: me, query: { accountId: account.id, amountFrom: '4.50', amountTo: '4.50' } },
    })
    await change(me, transactions[0] ?? account, { amount: '5.40' })
    await tick(me, session, { closingBalance: '2726.91' })
    const [best] = await suggestionsOf(me, session)
    expect(best).toMatchObject({ kind: 'sign', score: 0.75, toAmount: '5.40' })
  })

  it('finds rows that were skipped, as long as the file is kept and after', async () => {
    const account = await newAccount(me)
    const { id } = await uploaded(me, file, { accountId: account.id })
    await ok(updateImportRows, {
      ...{ as: me, id, json: { filter: { text: 'fee' }, decision: 'skip' } },
    })
    await committed(me, id)
    const session = await start(me, account, { ...STATEMENT, closingBalance: '-28.49' })
    const found = await suggestionsOf(me, session)
    expect(found).toMatchObject([
      { kind: 'notBooked', score: 0.9, rows: [{ date: DATE, amount: '-8.50' }], others: 0 },
    ])
    await carryOut(me, found[0] as Suggestion)
    expect(await look(me, session)).toMatchObject({ difference: '0.00' })
  })

  it('books no skipped row that was typed since, and ticks nothing beside it', async () => {
    const account = await newAccount(me)
    const { id } = await uploaded(me, file, { accountId: account.id })
    await ok(updateImportRows, {
      ...{ as: me, id, json: { filter: { text: 'fee' }, decision: 'skip' } },
    })
    await committed(me, id)
    const refund = await book(me, account, { kind: 'income', date: DATE, amount: '8.50' })
    const session = await start(me, account, { ...STATEMENT, closingBalance: '-28.49' })
    const [booking] = await suggestionsOf(me, session)
    expect(booking).toMatchObject({ kind: 'notBooked', calls: [{ path: '/transaction' }] })
    await book(me, account, { date: DATE, amount: '8.50' })
    const [ticking, ...others] = await suggestionsOf(me, session)
    expect(others.map(({ kind }) => kind)).not.toContain('notBooked')
    await carryOut(me, ticking as Suggestion)
    expect(await look(me, session)).toMatchObject({ difference: '0.00', rows: { unticked: 1 } })
    expect(refund.status).toBe('uncleared')
  })
})

it('says nothing to who does not see all that is summed', async () => {
  const writer = await newUser()
  const { account, session } = await differing('-3.00', [['-3'], ['-10', 'cleared']])
  await share(me, account, writer, { permission: 'write' })
  expect(await suggestionsOf(writer, session)).toMatchObject([{ kind: 'tick' }])
  const hidden = await book(me, account, { date: DATE, amount: '3', private: true })
  await tick(me, session, { tick: [hidden.id], closingBalance: '-16' })
  expect((await suggest(writer, session)).body).toMatchObject({ difference: null, suggestions: [] })
  expect(await suggestionsOf(me, session)).toMatchObject([{ kind: 'tick' }])
  expect((await suggest(await newUser(), session)).status).toBe(404)
})

it('finds nothing where the difference is larger than any amount, which cannot be booked', async () => {
  const most = '90071992547409.91'
  const account = await newAccount(me)
  await book(me, account, { date: DATE, amount: most, status: 'cleared' })
  const session = await start(me, account, { ...STATEMENT, closingBalance: most })
  expect((await suggest(me, session)).body).toMatchObject({
    ...{ difference: '180143985094819.82', suggestions: [] },
  })
  expect(refusal(await finish(me, session, { adjust: true }))).toEqual([400, 'money.outOfRange'])
  await tick(me, session, { closingBalance: '0' })
  expect((await finish(me, session, { adjust: true })).status).toBe(200)
  await book(me, account, { date: DATE, amount: '1' })
  // Without the adjustment, the balance would be lower than any.
  expect(refusal(await undo(me, session))).toEqual([409, 'ledger.outOfRange'])
  await book(me, account, { kind: 'income', date: DATE, amount: most })
  const next = await start(me, account, { ...STATEMENT, closingBalance: '2' })
  expect(refusal(await finish(me, next, { adjust: true }))).toEqual([409, 'ledger.outOfRange'])
})

it('a session is undone whose rows sum up to more than any amount', async () => {
  const most = '90071992547409.91'
  const account = await newAccount(me, { openingBalance: most, openingDate: DATE })
  const opening = await start(me, account, { ...STATEMENT, closingBalance: most })
  expect((await finish(me, opening)).status).toBe(200)
  for (const amount of [most, most]) {
    await book(me, account, { date: DATE, amount, status: 'cleared' })
  }
  const session = await start(me, account, { ...STATEMENT, closingBalance: `-${most}` })
  expect((await finish(me, session)).status).toBe(200)
  expect((await undo(me, session)).body).toMatchObject({
    ...{ reconciledBalance: most, clearedBalance: `-${most}`, difference: '0.00' },
  })
})
