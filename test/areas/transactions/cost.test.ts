import { expect, it } from 'vitest'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { listTransactions } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { costOf } from '../../support/samples.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book } from './booking.ts'

it('reads a list in one trip, with two rows more at most for each tag and payee that there is', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const tag = await ok(createTag, { as: me, json: { name: 'Tag' } })
  const payee = await ok(createPayee, { as: me, json: { name: 'Payee' } })
  const cost = async () => costOf((await call(listTransactions, { as: me })).headers)
  await book(me, account)
  await book(me, account)
  const [, plain] = [await cost(), await cost()]
  await rows(
    'INSERT INTO transaction_tags SELECT id, 0, ?2 FROM transactions WHERE owner_id = ?1',
    me.id,
    tag.id,
  )
  await rows(
    'INSERT INTO transaction_payees SELECT id, 0, ?2 FROM transactions WHERE owner_id = ?1',
    me.id,
    payee.id,
  )
  const linked = await cost()
  expect(linked.trips).toBe(1)
  expect(linked.rowsRead - plain.rowsRead).toBeLessThanOrEqual(8)
})
