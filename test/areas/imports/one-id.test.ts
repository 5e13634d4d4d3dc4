import { expect, it } from 'vitest'
import { identitiesByBankKeys } from '../../../src/areas/intake/imports/identities.queries.ts'
import { read } from '../../../src/platform/database/database.ts'
import { rows } from '../../support/api.ts'
import { planOf } from '../../support/plans.ts'
import { contextWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'

it('reads a few of the identities that have one bank key, however many have it', async () => {
  const { id } = await newAccount(await newUser())
  await rows(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
      INSERT INTO import_identities (account_id, identity, bank_key, date, amount_minor, pending, import_id)
      SELECT ?1, 'b' || i, iif(i <= 497, 'all', 'few'), '2026-03-01', -100, 0, 'imp_1' FROM n`,
    id,
  )
  const wanted = identitiesByBankKeys([
    [id, 'all'],
    [id, 'few'],
    [id, 'none'],
  ])
  const [found] = await read(contextWith(), wanted)
  const counts = Map.groupBy(found, ({ bankKey }) => bankKey)
  expect([counts.get('all')?.length, counts.get('few')?.length, counts.size]).toEqual([10, 3, 2])
  const { sql, params } = (
    wanted as unknown as { getQuery: () => { sql: string; params: unknown[] } }
  ).getQuery()
  const plan = await planOf(sql, params)
  expect(plan).toContainEqual(
    expect.stringContaining('import_identities_by_bank (account_id=? AND bank_key=?)'),
  )
})
