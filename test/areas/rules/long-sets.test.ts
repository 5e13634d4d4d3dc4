import { expect, it } from 'vitest'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { runRules, suggestRules } from '../../../src/areas/money/rules/rules.routes.ts'
import { ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { storePayees } from '../search/names.fixtures.ts'
import { book } from '../transactions/booking.ts'
import { newRule } from './ruling.ts'

const AMZN = { payeeRaw: 'AMZN Mktp DE' }

it('long names of many payees keep nothing from being booked', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const payee = await ok(createPayee, { as: me, json: { name: 'Amazon' } })
  await storePayees(me.id, 5000, '\u0001'.repeat(90))
  await newRule(me, { changes: { note: 'by {payee}' } })
  const { note } = await book(me, account, { ...AMZN, payeeId: payee.id })
  expect(note).toMatch(/^by/)
  expect((await ok(runRules, { as: me, json: { filter: {}, dryRun: true } })).looked).toBe(1)
  expect((await ok(suggestRules, { as: me })).suggestions).toEqual([])
})
