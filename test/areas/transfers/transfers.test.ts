import { describe, expect, it } from 'vitest'
import {
  getTransaction,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  createTransfer,
  deleteTransfer,
  getTransfer,
  listTransfers,
  updateTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { eventsOf, toldOf } from '../ledger/events.ts'
import { differencesOf } from '../ledger/ledger.ts'
import {
  archive,
  balanceOf,
  book,
  close,
  newCategory,
  REFUSED_AMOUNTS,
  refusal,
  tripsOf,
} from '../transactions/booking.ts'
import { change, newBooks } from './moving.ts'

describe('a transfer', () => {
  it('moves money from one account to another, and answers what a reader finds', async () => {
    const { me, from, to, balances, move } = await newBooks()
    const said = { description: 'Savings', note: 'For the summer', status: 'cleared' as const }
    const created = await move(said)
    expect([created.status, tripsOf(created)]).toEqual([201, 2])
    const { id } = created.body
    expect(created.body).toMatchObject({
      date: '2026-11-20',
      amount: '100.00',
      currency: 'EUR',
      toAmount: '100.00',
      toCurrency: 'EUR',
      rate: null,
      fee: null,
      description: 'Savings',
      note: 'For the summer',
      version: 1,
      from: { accountId: from.id, signedAmount: '-100.00', counterAccountId: to.id, ...said },
      to: { accountId: to.id, signedAmount: '100.00', counterAccountId: from.id, ...said },
    })
    expect(id).toMatch(/^trf_/)
    expect([created.body.from.transferId, created.body.to.transferId]).toEqual([id, id])
    const found = await call(getTransfer, { as: me, id })
    expect([found.body, tripsOf(found)]).toEqual([created.body, 1])
    for (const leg of [created.body.from, created.body.to]) {
      expect(await ok(getTransaction, { as: me, id: leg.id })).toEqual(leg)
    }
    expect(await balances()).toEqual(['-100.00', '100.00', '0', '0.000'])
    expect(await differencesOf(me)).toEqual([])
  })

  it('charges a fee to the sending account, of what leaves it', async () => {
    const { me, from, balances, move } = await newBooks()
    const { id: categoryId } = await newCategory(me)
    const { body } = await move({ fee: { amount: '1.5', categoryId }, toAmount: '98.50' })
    expect(body).toMatchObject({
      amount: '100.00',
      toAmount: '98.50',
      fee: { amount: '1.50', categoryId },
    })
    expect(await balances()).toEqual(['-100.00', '98.50', '0', '0.000'])
    const spent = await rows(
      "SELECT period, category_id, amount_minor FROM flow_periods WHERE account_id = ? AND flow = 'expense' AND grain = 'month'",
      from.id,
    )
    expect(spent).toEqual([{ period: '2026-11', category_id: categoryId, amount_minor: -150 }])
    expect((await move({ fee: { amount: '0.01' } })).body.toAmount).toBe('99.99')
    expect(await differencesOf(me)).toEqual([])
  })

  it.each([
    ['JPY', { rate: '162.355' }, '16236'],
    ['JPY', { rate: '162.345' }, '16234'],
    ['JPY', { rate: '162.35', fee: { amount: '1' } }, '16073'],
    ['JPY', { amount: '0.01', rate: '150' }, '2'],
    ['JPY', { amount: '0.01', rate: '50.000000000001' }, '1'],
    ['JPY', { toAmount: '15840' }, '15840'],
    ['BHD', { rate: '0.43315' }, '43.315'],
    ['BHD', { rate: '0.433155' }, '43.316'],
    ['BHD', { rate: '0.433165' }, '43.316'],
    ['BHD', { amount: '0.01', rate: '0.1' }, '0.001'],
    ['BHD', { toAmount: '43.3', fee: { amount: '99.99' } }, '43.300'],
  ] as const)('from euro to %s with %j arrives as %s, to the minor unit', async (...row) => {
    const [currency, wanted, arrives] = row
    const { me, yen, dinar, balances, move } = await newBooks()
    const { body, status } = await move({
      ...wanted,
      toAccountId: currency === 'JPY' ? yen.id : dinar.id,
    })
    expect(status).toBe(201)
    expect([body.toAmount, body.toCurrency, body.to.amount]).toEqual([arrives, currency, arrives])
    expect(body.rate).toBe('rate' in wanted ? wanted.rate : null)
    const [left, , inYen, inDinar] = await balances()
    expect(left).toBe(`-${body.amount}`)
    expect(currency === 'JPY' ? inYen : inDinar).toBe(arrives)
    expect(await differencesOf(me)).toEqual([])
  })

  it('is kept once for one Idempotency-Key, however often it is sent at the same moment', async () => {
    const { me, balances, between } = await newBooks()
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => call(createTransfer, { as: me, json: between(), headers })),
    )
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect((await balances()).slice(0, 2)).toEqual(['-100.00', '100.00'])
  })

  it('tells the log an event of each leg for each thing that happens to it', async () => {
    const { me, from, to, move } = await newBooks()
    const { body } = await move({ fee: { amount: '1' } })
    await change(me, body, { amount: '5', fee: null })
    await ok(updateTransaction, { as: me, id: body.to.id, json: { status: 'cleared' } })
    await ok(deleteTransfer, { as: me, id: body.id })
    const { kind, date } = { kind: 'transfer', date: body.date }
    const fee = { fees: [{ line: 5, amountMinor: 100 }] }
    const leaving = { kind, date, status: 'uncleared', counterAccountId: to.id }
    const arriving = { kind, date, status: 'uncleared', counterAccountId: from.id }
    expect(await toldOf(body.from.id)).toEqual([
      ['transaction.created', { after: { ...leaving, amountMinor: -10000, ...fee } }],
      [
        'transaction.updated',
        { before: { amountMinor: -10000, ...fee }, after: { amountMinor: -500 } },
      ],
      ['transaction.updated', null],
      ['transaction.deleted', { before: { ...leaving, amountMinor: -500 } }],
    ])
    expect(await toldOf(body.to.id)).toEqual([
      ['transaction.created', { after: { ...arriving, amountMinor: 9900 } }],
      ['transaction.updated', { before: { amountMinor: 9900 }, after: { amountMinor: 500 } }],
      ['transaction.updated', { before: { status: 'uncleared' }, after: { status: 'cleared' } }],
      ['transaction.deleted', { before: { ...arriving, amountMinor: 500, status: 'cleared' } }],
    ])
    const events = await eventsOf(body.from.id, body.to.id)
    expect(events.map(({ accountId, version }) => [accountId, version])).toEqual(
      [1, 2, 3, 4].flatMap((version) => [
        [from.id, version],
        [to.id, version],
      ]),
    )
    expect(new Set(events.map(({ commitId }) => commitId)).size).toBe(4)
    expect(await eventsOf(body.id)).toEqual([])
  })
})

describe('a transfer is refused', () => {
  const cases: [string, (books: Awaited<ReturnType<typeof newBooks>>) => Record<string, unknown>, unknown[]][] = [
    ['from an account to itself', ({ from }) => ({ toAccountId: from.id }), ['transfers.sameAccount', 'toAccountId']],
    ['with both toAmount and rate', ({ yen }) => ({ toAccountId: yen.id, toAmount: '1', rate: '1' }), ['transfers.toAmountOrRate', 'rate']],
    ['between currencies with neither', ({ yen }) => ({ toAccountId: yen.id }), ['transfers.toAmountNeeded', 'toAmount']],
    ['within one currency with a rate', () => ({ rate: '1' }), ['transfers.rateWithinCurrency', 'rate']],
    ['when other than the rest arrives', () => ({ toAmount: '99.99' }), ['ledger.transferMismatch', 'toAmount']],
    ['when the fee arrives too', () => ({ toAmount: '100', fee: { amount: '1' } }), ['ledger.transferMismatch', 'toAmount']],
    ['when the fee takes all', () => ({ fee: { amount: '100' } }), ['ledger.feeTooLarge', 'fee.amount']],
    ['when the fee takes more than all', ({ yen }) => ({ toAccountId: yen.id, rate: '160', fee: { amount: '100.01' } }), ['ledger.feeTooLarge', 'fee.amount']],
    ['with a fee of zero', () => ({ fee: { amount: '0' } }), ['money.zero', 'fee.amount']],
    ['with a negative fee', () => ({ fee: { amount: '-1' } }), ['money.negative', 'fee.amount']],
    ['with an unknown category', () => ({ fee: { amount: '1', categoryId: 'cat_none' } }), ['transfers.unknownCategory', 'fee.categoryId']],
    ['when nothing would arrive', ({ yen }) => ({ toAccountId: yen.id, amount: '0.01', rate: '50' }), ['transfers.arrivesAsZero', 'rate']],
    ['when too much would arrive', ({ yen }) => ({ toAccountId: yen.id, amount: '90000000000000', rate: '999999999999' }), ['money.outOfRange', undefined]],
    ['when zero arrives', ({ yen }) => ({ toAccountId: yen.id, toAmount: '0' }), ['money.zero', 'toAmount']],
    ['when less than one yen arrives', ({ yen }) => ({ toAccountId: yen.id, toAmount: '0.5' }), ['money.tooManyDigits', 'toAmount']],
    ['at a rate of zero', ({ yen }) => ({ toAccountId: yen.id, rate: '0.000' }), ['exchange.malformedRate', 'rate']],
    ['at a negative rate', ({ yen }) => ({ toAccountId: yen.id, rate: '-1' }), ['request.invalid', 'rate']],
    ['on a day that is none', () => ({ date: '2026-11-31' }), ['request.invalid', 'date']],
    ['with an unknown status', () => ({ status: 'done' }), ['request.invalid', 'status']],
    ['with an unknown field', () => ({ tags: [] }), ['request.invalid', 'tags']],
    ['with an unknown field of the fee', () => ({ fee: { amount: '1', note: 'x' } }), ['request.invalid', 'fee.note']],
  ] // prettier-ignore

  it.each(cases)('%s', async (_, wanted, [code, field]) => {
    const books = await newBooks()
    const refused = await books.move(wanted(books))
    expect(refusal(refused)).toEqual([400, code, ...(field === undefined ? [] : [field])])
    expect(await books.balances()).toEqual(['0.00', '0.00', '0', '0.000'])
  })

  it('for every amount that is none, by its field', async () => {
    const { me, balances, move } = await newBooks()
    for (const amount of [...REFUSED_AMOUNTS, '-1']) {
      const refused = await move({ amount: amount as string })
      expect([refused.status, refused.error.field], JSON.stringify(amount)).toEqual([400, 'amount'])
    }
    for (const field of ['fromAccountId', 'toAccountId', 'date', 'amount']) {
      const refused = await move({ [field]: undefined })
      expect(refusal(refused)).toEqual([400, 'request.invalid', field])
    }
    expect((await balances())[0]).toBe('0.00')
    expect((await ok(listTransfers, { as: me })).count).toBe(0)
  })

  it('for a fee with an archived category that it did not have', async () => {
    const { me, move } = await newBooks()
    const [old, other] = [await newCategory(me), await newCategory(me)]
    const { body } = await move({ fee: { amount: '1', categoryId: old.id } })
    await archive(old)
    await archive(other)
    const fee = { amount: '2', categoryId: other.id }
    for (const refused of [await move({ fee }), await change(me, body, { fee })]) {
      expect(refusal(refused)).toEqual([400, 'transfers.archivedCategory', 'fee.categoryId'])
    }
    const kept = await change(me, body, { fee: { amount: '2', categoryId: old.id } })
    expect(kept.body.fee).toEqual({ amount: '2.00', categoryId: old.id })
  })

  it('for a fee with an income category, or one of another user', async () => {
    const { me, move } = await newBooks()
    const [salary, foreign] = [await newCategory(me, 'income'), await newCategory(await newUser())]
    const wrong = [
      [salary.id, 'transfers.categoryKind'],
      [foreign.id, 'transfers.unknownCategory'],
    ] as const
    for (const [categoryId, code] of wrong) {
      const refused = await move({ fee: { amount: '1', categoryId } })
      expect(refusal(refused)).toEqual([400, code, 'fee.categoryId'])
    }
  })

  it("to or from an unknown account exactly like another user's", async () => {
    const { balances, move } = await newBooks()
    const other = await newUser()
    const foreign = await newAccount(other)
    for (const id of [foreign.id, 'acc_01k9v3q8m5t0w2x4y6z8a1b3c5']) {
      for (const wanted of [{ fromAccountId: id }, { toAccountId: id }]) {
        const [field] = Object.keys(wanted)
        expect(refusal(await move(wanted))).toEqual([400, 'transfers.unknownAccount', field])
      }
    }
    expect([await balanceOf(other, foreign), (await balances())[0]]).toEqual(['0.00', '0.00'])
  })

  it('when either account is closed, also between reading and booking', async () => {
    const { me, from, to, balances, between, move } = await newBooks()
    const closedMeanwhile = serviceWith({ meanwhile: () => close(to) })
    const late = await closedMeanwhile.call(createTransfer, { as: me, json: between() })
    expect(refusal(late)).toEqual([409, 'transfers.accountClosed'])
    const back = { fromAccountId: to.id, toAccountId: from.id }
    for (const wanted of [{}, back]) {
      expect(refusal(await move(wanted))).toEqual([409, 'transfers.accountClosed'])
    }
    expect((await balances()).slice(0, 2)).toEqual(['0.00', '0.00'])
  })
})

describe('nobody', () => {
  it('is asked to sign in before anything in the request is looked at', async () => {
    const raw = { body: 'no JSON' }
    const answers = [
      await call(listTransfers, { query: { limit: 'x' } }),
      await call(createTransfer, { raw }),
      await call(getTransfer, { id: 'x' }),
      await call(updateTransfer, { id: 'x', raw }),
      await call(deleteTransfer, { id: 'x' }),
    ]
    for (const answer of answers) {
      expect(refusal(answer)).toEqual([401, 'auth.required'])
    }
  })
})

describe('a transfer of somebody else', () => {
  it('is not found, like one that never was, and stays as it is', async () => {
    const { me, from, move, balances } = await newBooks()
    const { body } = await move()
    const expense = await book(me, from)
    const stranger = await newUser()
    const everyWay = async (as: TestUser, id: string) => [
      await call(getTransfer, { as, id }),
      await call(updateTransfer, { as, id, json: { amount: '1' } }),
      await call(deleteTransfer, { as, id }),
    ]
    const nobodys = [someId('trf'), expense.id.replace('txn', 'trf')]
    const answers = [
      ...(await everyWay(stranger, body.id)),
      ...(await Promise.all(nobodys.map((id) => everyWay(me, id)))).flat(),
    ]
    for (const answer of answers) {
      expect(refusal(answer)).toEqual([404, 'transfers.notFound'])
    }
    expect(await ok(getTransfer, { as: me, id: body.id })).toEqual(body)
    expect((await balances()).slice(0, 2)).toEqual(['-112.30', '100.00'])
    expect(await ok(listTransfers, { as: stranger })).toEqual({
      transfers: [],
      count: 0,
      nextCursor: null,
    })
  })
})

describe('the list of transfers', () => {
  it('shows them newest first in one trip, narrowed to what is asked for', async () => {
    const { me, from, to, yen, move } = await newBooks()
    const one = (await move({ date: '2026-01-01' })).body
    const two = (await move({ date: '2026-01-02', toAccountId: yen.id, rate: '160' })).body
    const three = (await move({ date: '2026-01-03' })).body
    await book(me, from)
    const answer = await call(listTransfers, { as: me })
    expect(answer.body).toEqual({ transfers: [three, two, one], count: 3, nextCursor: null })
    expect(tripsOf(answer)).toBe(1)
    const cases: [Record<string, string>, { id: string }[]][] = [
      [{ accountId: from.id }, [three, two, one]],
      [{ accountId: to.id }, [three, one]],
      [{ accountId: yen.id }, [two]],
      [{ accountId: 'acc_none' }, []],
      [{ from: '2026-01-02' }, [three, two]],
      [{ to: '2026-01-02' }, [two, one]],
      [{ from: '2026-01-02', to: '2026-01-02', accountId: to.id }, []],
    ]
    for (const [query, expected] of cases) {
      const { transfers, count } = await ok(listTransfers, { as: me, query })
      expect(transfers.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
      expect(count).toBe(expected.length)
    }
    for (const query of [{ limit: '0' }, { limit: '201' }, { kind: 'x' }, { from: 'x' }]) {
      expect((await call(listTransfers, { as: me, query })).status).toBe(400)
    }
  })

  it('comes in pages that hold every transfer once', async () => {
    const { me, move } = await newBooks()
    for (let at = 0; at < 7; at++) {
      await move({ date: `2026-01-0${(at % 3) + 1}` })
    }
    const all = (await ok(listTransfers, { as: me })).transfers
    const seen = []
    let cursor: string | null = null
    do {
      const query = { limit: 2, ...(cursor === null ? {} : { cursor }) }
      const page: { transfers: typeof all; nextCursor: string | null; count: number } = await ok(
        listTransfers,
        { as: me, query },
      )
      expect(page.count).toBe(7)
      seen.push(...page.transfers)
      cursor = page.nextCursor
    } while (cursor !== null)
    expect(seen).toEqual(all)
  })

  it('leaves out those with an account in the trash; their other leg stays where it was', async () => {
    const { me, from, to, move } = await newBooks()
    const { body } = await move()
    await rows('UPDATE accounts SET deleted_at = 1 WHERE id = ?', to.id)
    expect((await ok(listTransfers, { as: me })).count).toBe(0)
    expect(refusal(await call(getTransfer, { as: me, id: body.id }))).toEqual([
      404,
      'transfers.notFound',
    ])
    expect(await ok(getTransaction, { as: me, id: body.from.id })).toEqual(body.from)
    expect(await balanceOf(me, from)).toBe('-100.00')
  })
})
