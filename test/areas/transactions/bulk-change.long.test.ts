import { expect, it } from 'vitest'
import { updateTransactions } from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import { getTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { ok } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { change, expenseOn, refusal } from './booking.ts'
import { changeAll, createAll, times } from './bulk.ts'

it('words that grow where they are searched are no more premises of a change of many than others', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const made = await createAll(
    me,
    times(500, () => expenseOn(account)),
  )
  const ids = made.body.results.map(({ transaction }) => transaction?.id ?? '')
  // One letter that is searched as eighteen.
  const changes = { note: '\ufdfa'.repeat(2000), description: '\ufdfa'.repeat(500) }
  const json = { ids, changes }
  const last = { id: ids.at(-1) ?? '' }
  const { call: ask } = serviceWith({ meanwhile: () => change(me, last, { amount: '5' }) })
  expect(refusal(await ask(updateTransactions, { as: me, json }))).toEqual([
    409,
    'request.conflict',
  ])
  expect((await ok(getTransaction, { as: me, id: ids[0] ?? '' })).note).toBeNull()
  const changed = await changeAll(me, json)
  expect([changed.status, changed.body.changed]).toEqual([200, 500])
  expect(await ok(getTransaction, { as: me, id: last.id })).toMatchObject({
    ...changes,
    version: 3,
  })
})
