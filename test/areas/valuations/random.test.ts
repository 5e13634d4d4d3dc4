import { expect, it } from 'vitest'
import {
  getAccountBalance,
  getAccountByID,
} from '../../../src/areas/money/accounts/accounts.routes.ts'
import { createTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  createValuation,
  deleteValuation,
  listValuations,
  updateValuation,
} from '../../../src/areas/money/valuations/valuations.routes.ts'
import { addDays } from '../../../src/domain/calendar.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { rounds, SEED } from '../../support/rounds.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { randomFrom } from '../../support/random.ts'
import { flawsOfLog } from '../ledger/replay.ts'

const valued = async (as: Principal, accountId: string) =>
  (await ok(listValuations, { as, query: { accountId, limit: 200 } })).valuations

it('keeps every stated value true, whatever is stated, changed and taken back in between', async () => {
  const { whole, pick } = randomFrom(SEED)
  const me = await newUser()
  const opening = { openingBalance: '500', openingDate: '2026-01-15' }
  const { id: accountId } = await newAccount(me, { type: 'property', ...opening })
  const day = () => addDays('2026-01-01', whole(0, 30))
  const value = () => String(whole(-3, 6) * 100)
  for (let round = 0; round < rounds(30, 600); round++) {
    const before = await valued(me, accountId)
    const { balance } = await ok(getAccountByID, { as: me, id: accountId })
    const chance = whole(0, 9)
    const one = before.length > 0 ? pick(before) : undefined
    const date = day()
    const taken = before.some((other) => other.date === date && other.id !== one?.id)
    const where = `seed ${SEED}, round ${round}`
    if (!one || chance < 4) {
      const json = { accountId, date, value: value() }
      const { status } = await call(createValuation, { as: me, json })
      expect(status, where).toBe(before.some((other) => other.date === date) ? 409 : 201)
    } else if (chance < 8) {
      const json = {
        ...(chance === 4 ? {} : { value: value() }),
        ...(chance === 7 ? {} : { date }),
      }
      const { status } = await call(updateValuation, { as: me, id: one.id, json })
      expect(status, where).toBe(taken && chance !== 7 ? 409 : 200)
    } else {
      await ok(deleteValuation, { as: me, id: one.id })
    }
    const after = await valued(me, accountId)
    expect(
      after.map(({ difference }) => difference),
      where,
    ).toEqual(after.map(() => '0.00'))
    const last = after[0]
    const sampled = after.length > 0 ? pick(after) : undefined
    for (const stated of [last, sampled]) {
      const query = { date: stated?.date ?? date }
      const at = await ok(getAccountBalance, { as: me, id: accountId, query })
      expect(at.balance, where).toBe(stated?.value ?? at.balance)
    }
    // While the last one stays, so does the balance of today.
    if (last && before[0]?.id === last.id && before[0]?.version === last.version) {
      expect((await ok(getAccountByID, { as: me, id: accountId })).balance, where).toBe(balance)
    }
  }
  for (const { id } of await valued(me, accountId)) {
    await ok(deleteValuation, { as: me, id })
  }
  expect(await ok(getAccountByID, { as: me, id: accountId })).toMatchObject({
    balance: '500.00',
    transactionCount: 1,
  })
  expect(await differencesOf(me)).toEqual([])
  expect(await flawsOfLog(me)).toEqual([])
})

it('leaves what others differ by as it is, and heals the one that is changed', async () => {
  const { whole, pick } = randomFrom(SEED)
  const me = await newUser()
  const { id: accountId } = await newAccount(me, { type: 'investment' })
  for (let round = 0; round < rounds(30, 300); round++) {
    const where = `seed ${SEED}, round ${round}`
    const date = addDays('2026-01-01', whole(0, 30))
    if (whole(0, 3) === 0) {
      const income = { kind: 'income', accountId, date, amount: String(whole(1, 9)) } as const
      await ok(createTransaction, { as: me, json: income })
    }
    const before = await valued(me, accountId)
    const one = before.length > 0 && whole(0, 2) > 0 ? pick(before) : undefined
    const json = { date, value: String(whole(-3, 6) * 100) }
    const { body, status } = one
      ? await call(updateValuation, { as: me, id: one.id, json })
      : await call(createValuation, { as: me, json: { ...json, accountId } })
    const changed = status < 300 ? body.id : undefined
    const expected = (valuation: { id: string; difference: string }) => [
      valuation.id,
      valuation.id === changed ? '0.00' : valuation.difference,
    ]
    const after = await valued(me, accountId)
    const known = new Map(before.map((valuation) => expected(valuation) as [string, string]))
    for (const valuation of after) {
      expect(valuation.difference, where).toBe(known.get(valuation.id) ?? '0.00')
    }
  }
  expect(await differencesOf(me)).toEqual([])
})
