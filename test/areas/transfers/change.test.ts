import { describe, expect, it } from 'vitest'
import {
  listTransactions,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  deleteTransfer,
  getTransfer,
  listTransfers,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { balanceOf, close, refusal, tripsOf } from '../transactions/booking.ts'
import { change, type Changes, newBooks } from './moving.ts'

describe('changing a transfer', () => {
  it('touches both legs together, and only what was sent', async () => {
    const { me, balances, move } = await newBooks()
    const created = (await move({ description: 'd', note: 'n', fee: { amount: '1' } })).body
    const steps: [Changes, Record<string, unknown>][] = [
      [{ amount: '50' }, { amount: '50.00', toAmount: '49.00' }],
      [{ fee: { amount: '2' } }, { amount: '50.00', toAmount: '48.00' }],
      [{ fee: null }, { toAmount: '50.00', fee: null }],
      [{ date: '2024-02-29' }, { date: '2024-02-29' }],
      [{ description: '' }, { description: '', note: 'n' }],
      [{ note: null }, { note: null }],
      [{ toAmount: '50' }, { toAmount: '50.00' }],
      [{}, {}],
    ]
    const expected = { ...created }
    for (const [json, shown] of steps) {
      const changed = await change(me, created, json)
      expect([changed.status, tripsOf(changed)]).toEqual([200, 2])
      expect(changed.body).toMatchObject({ ...shown, version: expected.version + 1 })
      expect(changed.body.from).toMatchObject({ date: changed.body.date })
      expect(changed.body.to).toMatchObject({ date: changed.body.date })
      Object.assign(expected, changed.body)
      expect(await ok(getTransfer, { as: me, id: created.id })).toEqual(changed.body)
      expect(await differencesOf(me)).toEqual([])
    }
    expect((await balances()).slice(0, 2)).toEqual(['-50.00', '50.00'])
  })

  it('sets the status of both legs, and leaves each its own when it is not sent', async () => {
    const { me, balances, move } = await newBooks()
    const { body } = await move()
    await ok(updateTransaction, { as: me, id: body.to.id, json: { status: 'reconciled' } })
    const statuses = async (json: Changes) => {
      const changed = await change(me, body, json)
      return [changed.body.from.status, changed.body.to.status]
    }
    expect(await statuses({ amount: '7', force: true })).toEqual(['uncleared', 'reconciled'])
    expect(await statuses({ status: 'void', force: true })).toEqual(['void', 'void'])
    expect(await balances()).toEqual(['0.00', '0.00', '0', '0.000'])
    expect(await statuses({ status: 'cleared' })).toEqual(['cleared', 'cleared'])
    expect(await differencesOf(me)).toEqual([])
  })

  it('computes what arrives anew while it goes by a rate, and keeps what was given', async () => {
    const { me, yen, dinar, move } = await newBooks()
    const { body } = await move({ toAccountId: yen.id, rate: '160' })
    const arrivals: [Changes, string, string | null][] = [
      [{ amount: '10' }, '1600', '160'],
      [{ fee: { amount: '1' } }, '1440', '160'],
      [{ rate: '150' }, '1350', '150'],
      [{ toAmount: '1234' }, '1234', null],
      [{ amount: '20' }, '1234', null],
      [{ fee: null, note: 'x' }, '1234', null],
      [{ rate: '100.0' }, '2000', '100'],
      [{ toAccountId: dinar.id, rate: '0.4' }, '8.000', '0.4'],
    ]
    for (const [json, toAmount, rate] of arrivals) {
      const changed = await change(me, body, json)
      expect([changed.body.toAmount, changed.body.rate], JSON.stringify(json)).toEqual([
        toAmount,
        rate,
      ])
    }
    expect(await differencesOf(me)).toEqual([])
  })

  it('may turn it round, or move it to other accounts', async () => {
    const { me, from, to, balances, move } = await newBooks()
    const third = await newAccount(me)
    const { body } = await move()
    const turned = await change(me, body, { fromAccountId: to.id, toAccountId: from.id })
    expect(turned.body.from.accountId).toBe(to.id)
    expect((await balances()).slice(0, 2)).toEqual(['100.00', '-100.00'])
    await change(me, body, { fromAccountId: third.id })
    expect([...(await balances()).slice(0, 2), await balanceOf(me, third)]).toEqual([
      '100.00',
      '0.00',
      '-100.00',
    ])
    expect(await differencesOf(me)).toEqual([])
  })

  it('to accounts in other currencies asks for what cannot be known', async () => {
    const { me, from, to, yen, move, balances } = await newBooks()
    const plain = (await move({ fee: { amount: '1' } })).body
    const refused: [Changes, unknown[]][] = [
      [{ toAccountId: yen.id }, ['transfers.toAmountNeeded', 'toAmount']],
      [{ fromAccountId: yen.id }, ['transfers.otherCurrency', 'amount']],
      [{ fromAccountId: yen.id, amount: '5000' }, ['transfers.otherCurrency', 'fees']],
      [{ toAccountId: from.id }, ['transfers.sameAccount', 'toAccountId']],
      [{ toAmount: '1', rate: '1' }, ['transfers.toAmountOrRate', 'rate']],
      [{ amount: '1' }, ['ledger.feeTooLarge', 'amount']],
      [{ fee: { amount: '100' } }, ['ledger.feeTooLarge', 'fee.amount']],
      [{ fees: [{ amount: '99' }, { amount: '1' }] }, ['ledger.feeTooLarge', 'fees']],
      [{ amount: '0' }, ['money.zero', 'amount']],
      [{ rate: '2' }, ['transfers.rateWithinCurrency', 'rate']],
    ]
    for (const [json, why] of refused) {
      expect(refusal(await change(me, plain, json)), JSON.stringify(json)).toEqual([400, ...why])
    }
    const done = await change(me, plain, {
      fromAccountId: yen.id,
      amount: '5000',
      fee: null,
      toAmount: '30',
    })
    expect(done.body).toMatchObject({ amount: '5000', currency: 'JPY', toAmount: '30.00' })
    const back = await change(me, plain, { fromAccountId: from.id, amount: '12' })
    expect(back.body).toMatchObject({ amount: '12.00', toAmount: '12.00', rate: null })
    expect(await balances()).toEqual(['-12.00', '12.00', '0', '0.000'])
    expect(to.id).toBe(back.body.to.accountId)
    expect(await differencesOf(me)).toEqual([])
  })

  it("to somebody else's account, or on a closed one, is refused", async () => {
    const { me, from, to, move } = await newBooks()
    const foreign = await newAccount(await newUser())
    const { body } = await move()
    for (const json of [{ fromAccountId: foreign.id }, { toAccountId: foreign.id }]) {
      const [field] = Object.keys(json)
      expect(refusal(await change(me, body, json))).toEqual([
        400,
        'transfers.unknownAccount',
        field,
      ])
    }
    await close(to)
    const away = await change(me, body, { toAccountId: (await newAccount(me)).id })
    expect(refusal(away)).toEqual([409, 'transfers.accountClosed'])
    expect(refusal(await change(me, body, { amount: '1' }))).toEqual([
      409,
      'transfers.accountClosed',
    ])
    expect((await change(me, body, { note: 'late' })).status).toBe(200)
    const removed = await call(deleteTransfer, { as: me, id: body.id })
    expect(refusal(removed)).toEqual([409, 'transfers.accountClosed'])
    expect(await balanceOf(me, from)).toBe('-100.00')
  })

  it('honours If-Match, and one of 50 changes of one version goes through', async () => {
    const { me, from, to, move } = await newBooks()
    const { body, headers } = await move()
    const etag = headers.get('ETag') ?? ''
    expect(etag).toMatch(/^"1-/)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        change(me, body, { amount: `${at + 1}` }, { 'If-Match': etag }),
      ),
    )
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(49)
    const stale = await call(deleteTransfer, {
      as: me,
      id: body.id,
      headers: { 'If-Match': etag },
    })
    expect(refusal(stale)).toEqual([412, 'request.stale'])
    expect(await balanceOf(me, to)).toBe(won[0]?.body.toAmount)
    expect(await balanceOf(me, from)).toBe(`-${won[0]?.body.amount}`)
  })
})

describe('deleting a transfer', () => {
  it('moves both legs to the trash', async () => {
    const { me, balances, move } = await newBooks()
    const { body } = await move({ fee: { amount: '1' } })
    const removed = await call(deleteTransfer, { as: me, id: body.id })
    expect([removed.status, tripsOf(removed)]).toEqual([200, 2])
    expect(await balances()).toEqual(['0.00', '0.00', '0', '0.000'])
    expect((await ok(listTransactions, { as: me })).count).toBe(0)
    expect((await ok(listTransfers, { as: me })).count).toBe(0)
    for (const route of [getTransfer, deleteTransfer]) {
      expect(refusal(await call(route, { as: me, id: body.id }))).toEqual([
        404,
        'transfers.notFound',
      ])
    }
    expect(await differencesOf(me)).toEqual([])
  })
})
