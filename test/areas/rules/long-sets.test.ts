import { expect, it } from 'vitest'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { runRules, suggestRules } from '../../../src/areas/money/rules/rules.routes.ts'
import { ok, rows } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { storePayees } from '../search/names.fixtures.ts'
import { book } from '../transactions/booking.ts'
import { AMZN_RAW, newRule } from './ruling.ts'

const AMZN = { payeeRaw: 'AMZN Mktp DE' }

/** Appends rules as merged backups can bring them: many more than a person can make. */
const appendRules = (id: string, count: number, noteOfBytes: number) =>
  rows(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
      INSERT INTO rules (id, owner_id, name, name_key, active, position, definition, version, created_at, updated_at)
      SELECT id || i, owner_id, name || i, name_key || i, 1, position + i,
        json_set(definition, '$.changes.note', CAST(zeroblob(?3) AS TEXT)), 1, 0, 0 FROM n, rules WHERE id = ?1`,
    id,
    count,
    noteOfBytes,
  )

it('more rules than a person can make keep nothing from being booked, and the first ones work', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  await newRule(me, { changes: { reviewed: true } })
  const { id } = await newRule(me, { changes: { note: 'kept' }, condition: AMZN_RAW })
  await appendRules(id, 40, 60_000)
  expect(await book(me, account, AMZN)).toMatchObject({ reviewed: true })
})

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
