import { expect, it } from 'vitest'
import { getSpendingCsv } from '../../../src/areas/insight/reports/flows/flows.routes.ts'
import { createCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { call, ok } from '../../support/api.ts'
import { SEED } from '../../support/rounds.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book } from '../transactions/booking.ts'
import { newLedger } from './ledger.fixtures.ts'
import { compareTables } from './tables.fixtures.ts'

it('a table has all that JSON has, and nothing else', async () => {
  const { ada, ben } = await newLedger(SEED + 1, 80)
  const span = { from: '2023-02-10', to: '2024-03-05' }
  const lines = [
    await compareTables(ada, { ...span, interval: 'month', currency: 'EUR' }, 'tag'),
    await compareTables(ben, { ...span, currency: 'none', interval: 'quarter' }, 'category'),
    await compareTables(ada, { ...span, currency: 'USD' }, 'member'),
  ]
  expect(Math.min(...lines)).toBeGreaterThan(15)
})

it('no spreadsheet runs a name in it', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const json = { name: '=1+1, "x"', kind: 'expense' as const }
  const { id } = await ok(createCategory, { as: me, json })
  await book(me, account, { date: '2026-03-05', amount: '5', kind: 'income', categoryId: id })
  const { text, headers } = await call(getSpendingCsv, { as: me, query: { period: '2026-03' } })
  expect(text).toBe(
    [
      'row,key,name,path,from,to,partial,currency,own,total,share,earned,spent,ratesAsOf,rateDate,days',
      `category,${id},"'=1+1, ""x""","'=1+1, ""x""",2026-03-01,2026-03-31,false,EUR,-5.00,-5.00,100.0,,,,,`,
      'overlap,,,,2026-03-01,2026-03-31,,EUR,0.00,,,,,,,',
      'total,,,,2026-03-01,2026-03-31,,EUR,-5.00,,,,,,,',
      'excluded,,,,2026-03-01,2026-03-31,,EUR,,,,0.00,0.00,,,',
      '',
    ].join('\r\n'),
  )
  expect(headers.get('Content-Disposition')).toContain('filename="spending.csv"')
})
