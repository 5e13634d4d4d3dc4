import { expect, it } from 'vitest'
import {
  createBalanceAssertion,
  listBalanceAssertions,
} from '../../../src/areas/money/balance-assertions/balance-assertions.routes.ts'
import { ok, rows } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { newMarch, sessionsOf, undo } from './reconciling.ts'

it('deletes no balance assertion of somebody else, or of another account, when it is undone', async () => {
  const [victim, me] = [await newUser(), await newUser()]
  const stated = async (as: typeof me) => {
    const account = await newAccount(as, { openingBalance: '10', openingDate: '2026-01-01' })
    const json = { accountId: account.id, date: '2026-01-31', amount: '10.00' }
    return ok(createBalanceAssertion, { as, json })
  }
  const [theirs, own] = [await stated(victim), await stated(me)]
  for (const { id } of [theirs, own]) {
    const { everyday } = await newMarch(me)
    const [session] = await sessionsOf(me, everyday)
    await rows('UPDATE reconciliations SET assertion_id = ? WHERE id = ?', id, session?.id)
    expect((await undo(me, { id: session?.id ?? '' })).status).toBe(200)
  }
  const idsOf = async (as: typeof me) =>
    (await ok(listBalanceAssertions, { as })).balanceAssertions.map(({ id }) => id)
  expect(await idsOf(victim)).toEqual([theirs.id])
  expect(await idsOf(me)).toContain(own.id)
})
