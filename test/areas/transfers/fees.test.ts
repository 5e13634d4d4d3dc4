import { describe, expect, it } from 'vitest'
import { listTransactionVersions } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { getTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { ok, type Principal } from '../../support/api.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { flawsOfLog } from '../ledger/replay.ts'
import { newCategory, refusal } from '../transactions/booking.ts'
import { change, newBooks } from './moving.ts'

const sound = async (me: Principal & { id: string }) => {
  expect(await differencesOf(me)).toEqual([])
  expect(await flawsOfLog(me)).toEqual([])
}

const historyOf = async (as: Principal, id: string) =>
  (await ok(listTransactionVersions, { as, id })).versions.map(({ changes }) => changes)

describe('the fees of a transfer', () => {
  it('are replaced by those that are sent, or by the only one', async () => {
    const { me, move } = await newBooks()
    const { id: bank } = await newCategory(me)
    const noted = { amount: '1', categoryId: bank, note: 'Wire' }
    const { body } = await move({ fees: [noted, { amount: '2' }, { amount: '3' }] })
    expect([body.toAmount, body.fee]).toEqual(['94.00', null])
    const fees = async (json: Parameters<typeof change>[2]) => {
      const changed = await change(me, body, json)
      return [changed.body.toAmount, changed.body.fee, changed.body.fees]
    }
    const [first, shown] = [
      { ...noted, amount: '1.00' },
      { amount: '1.00', categoryId: bank },
    ]
    expect(await fees({ description: 'x' })).toEqual(['94.00', null, body.fees])
    expect(await fees({ fees: [noted] })).toEqual(['99.00', shown, [first]])
    // What `fee` cannot say of the only one stays.
    expect(await fees({ fee: { amount: '5' } })).toEqual([
      ...['95.00', { amount: '5.00', categoryId: null }],
      [{ amount: '5.00', categoryId: null, note: 'Wire' }],
    ])
    expect(await fees({ fees: [{ amount: '1' }, { amount: '2' }] })).toMatchObject([
      ...['97.00', null, [{ note: null }, { note: null }]],
    ])
    expect(await fees({ fee: { amount: '4' } })).toMatchObject(['96.00', {}, [{ note: null }]])
    expect(await fees({ fees: [] })).toEqual(['100.00', null, []])
    await fees({ fees: [noted, noted] })
    expect(await fees({ fee: null })).toEqual(['100.00', null, []])
    await sound(me)
  })

  it('show in the history of the side that pays them', async () => {
    const { me, move } = await newBooks()
    const { body } = await move({ fees: [{ amount: '1', note: 'Wire' }] })
    await change(me, body, { fees: [{ amount: '1', note: 'Transfer' }, { amount: '2' }] })
    const [changed] = await historyOf(me, body.from.id)
    const fee = (amount: string, note: string | null) => ({ amount, categoryId: null, note })
    expect(changed).toEqual([
      {
        field: 'fees',
        before: [fee('1.00', 'Wire')],
        after: [fee('1.00', 'Transfer'), fee('2.00', null)],
      },
    ])
    const [ofOther] = await historyOf(me, body.to.id)
    expect(ofOther?.map(({ field }) => field)).toEqual(['amount', 'signedAmount'])
  })

  it.each<[string, object, (string | number)[]]>([
    ['both ways at once', { fee: { amount: '1' }, fees: [] }, ['request.invalid', 'fees']],
    ['none and some', { fee: null, fees: [{ amount: '1' }] }, ['request.invalid', 'fees']],
    [
      'eleven',
      { fees: Array.from({ length: 11 }, () => ({ amount: '1' })) },
      ['request.invalid', 'fees'],
    ],
    ['no list', { fees: null }, ['request.invalid', 'fees']],
    [
      'a fee of zero',
      { fees: [{ amount: '1' }, { amount: '0' }] },
      ['money.zero', 'fees.1.amount'],
    ],
    [
      'more than all',
      { fees: [{ amount: '60' }, { amount: '40' }] },
      ['ledger.feeTooLarge', 'fees'],
    ],
    [
      'too long a note',
      { fees: [{ amount: '1', note: 'x'.repeat(501) }] },
      ['request.invalid', 'fees.0.note'],
    ],
  ])('are refused with %s', async (_, said, why) => {
    const { me, move } = await newBooks()
    expect(refusal(await move(said))).toEqual([400, ...why])
    const { body } = await move()
    expect(refusal(await change(me, body, said))).toEqual([400, ...why])
    expect((await ok(getTransfer, { as: me, id: body.id })).version).toBe(1)
  })
})

it('ten fees are as many as there may be', async () => {
  const { me, move } = await newBooks()
  const { body } = await move({ fees: Array.from({ length: 10 }, () => ({ amount: '1' })) })
  expect([body.toAmount, body.fees.length]).toEqual(['90.00', 10])
  await sound(me)
})
