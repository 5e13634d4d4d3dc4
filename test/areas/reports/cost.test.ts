import { expect, it } from 'vitest'
import {
  getNetWorth,
  getNetWorthHistory,
} from '../../../src/areas/insight/reports/reports.routes.ts'
import { createTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { call, ok } from '../../support/api.ts'
import { costOf } from '../../support/samples.ts'
import { newAccount, newUser } from '../../support/world.ts'

it('the net worth costs days and months, however much was booked in them', async () => {
  const me = await newUser()
  const { id: accountId } = await newAccount(me, {
    openingBalance: '1000',
    openingDate: '2026-01-01',
  })
  const book = (date: string) =>
    ok(createTransaction, { as: me, json: { kind: 'expense', accountId, date, amount: '1' } })
  const cost = async () => {
    const span = { from: '2026-01-01', to: '2026-03-31' }
    const queries = [
      call(getNetWorthHistory, { as: me, query: span }),
      call(getNetWorthHistory, { as: me, query: { ...span, interval: 'day' } }),
      call(getNetWorth, { as: me, query: { date: '2026-03-31' } }),
    ]
    return (await Promise.all(queries)).map(({ headers }) => costOf(headers).rowsRead)
  }
  await book('2026-02-10')
  const before = await cost()
  for (let more = 0; more < 30; more++) {
    await book('2026-02-10')
  }
  expect(await cost()).toEqual(before)
})
