import { expect } from 'vitest'
import { getAccountByID } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { ok, rows } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { committed, csv, uploaded } from './importing.ts'

/** A file of so many rows, on sixty days at seven shops for nine amounts. */
export const many = (count: number) =>
  csv(
    Array.from({ length: count }, (_, at) => {
      const day = new Date(Date.UTC(2026, 0, 1 + (at % 60))).toISOString().slice(0, 10)
      return `${day},SHOP ${at % 7},-${1 + (at % 9)}.00`
    }),
  )

/** Imports one file ten times at once: each of its rows is booked by one of the imports. */
export async function bookedOnceOf(count: number): Promise<void> {
  const me = await newUser()
  const account = await newAccount(me)
  const file = many(count)
  const query = { accountId: account.id, again: 'true' }
  const sent = await Promise.all(Array.from({ length: 10 }, () => uploaded(me, file, query)))
  const done = await Promise.all(sent.map(({ id }) => committed(me, id)))
  expect(done.map(({ state }) => state)).toEqual(Array(10).fill('done'))
  const booked = done.reduce((sum, { counts }) => sum + (counts['new'] ?? 0), 0)
  expect(booked).toBe(count)
  const [found] = await rows<{ count: number }>(
    'SELECT count(*) AS count FROM transactions WHERE owner_id = ?',
    me.id,
  )
  expect(found?.count).toBe(count)
  const spent = Array.from({ length: count }, (_, at) => 1 + (at % 9)).reduce((a, b) => a + b, 0)
  const { balance } = await ok(getAccountByID, { as: me, id: account.id })
  expect(balance).toBe(`-${spent}.00`)
}
