import { expect, it } from 'vitest'
import { runRules } from '../../../src/areas/money/rules/rules.routes.ts'
import { getTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { eventsOf } from '../ledger/events.ts'
import { book, newCategory } from '../transactions/booking.ts'
import { AMZN_RAW, newRule } from './ruling.ts'

const AMZN = { payeeRaw: 'AMZN Mktp DE' }
const ALL = { filter: { from: '2020-01-01' } }

it('a run tells nothing of a field that a later rule puts back', async () => {
  const me = await newUser()
  const [account, food, home] = [await newAccount(me), await newCategory(me), await newCategory(me)]
  const { id } = await book(me, account, { ...AMZN, categoryId: home.id, status: 'cleared' })
  await newRule(me, { changes: { categoryId: food.id, status: 'pending' }, overwrite: true })
  await newRule(me, { changes: { categoryId: home.id, status: 'cleared' }, overwrite: true })
  const none = { id, status: 'unchanged', version: 1, changes: [], failed: [] }
  expect(await ok(runRules, { as: me, json: ALL })).toMatchObject({ changed: 0, results: [none] })
  const last = await newRule(me, { condition: AMZN_RAW, changes: { note: 'seen' } })
  const { results } = await ok(runRules, { as: me, json: ALL })
  expect(results).toMatchObject([{ id, changes: [{ field: 'note', ruleId: last.id }] }])
  expect(results[0]?.changes).toHaveLength(1)
  expect(await ok(getTransaction, { as: me, id })).toMatchObject({ version: 2, note: 'seen' })
  expect((await eventsOf(id)).at(-1)).toMatchObject({ content: { rules: [last.id] } })
})
