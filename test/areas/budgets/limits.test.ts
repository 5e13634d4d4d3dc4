import { describe, expect, it } from 'vitest'
import { newAccount, newUser } from '../../support/world.ts'
import { book } from '../transactions/booking.ts'
import { limitRow, newBudget, newLine } from './budgets.fixtures.ts'

const MONTHS = ['2026-01-01', '2026-02-01', '2026-03-01', '2026-04-01', '2026-05-01']
const AFTER = '2026-06-01'

describe('a limit', () => {
  // Carried in, total and remaining, by month, and what the last one carries out.
  it.each([
    [
      'none',
      undefined,
      '0.00 100.00 40.00, 0.00 100.00 30.00, 0.00 100.00 -130.00, 0.00 100.00 10.00, 0.00 100.00 0.00, 0.00',
    ],
    [
      'surplus',
      undefined,
      '0.00 100.00 40.00, 40.00 140.00 70.00, 70.00 170.00 -60.00, 0.00 100.00 10.00, 10.00 110.00 10.00, 10.00',
    ],
    [
      'surplus',
      '50.00',
      '0.00 100.00 40.00, 40.00 140.00 70.00, 50.00 150.00 -80.00, 0.00 100.00 10.00, 10.00 110.00 10.00, 10.00',
    ],
    [
      'deficit',
      undefined,
      '0.00 100.00 40.00, 0.00 100.00 30.00, 0.00 100.00 -130.00, -130.00 -30.00 -120.00, -120.00 -20.00 -120.00, -120.00',
    ],
    [
      'both',
      undefined,
      '0.00 100.00 40.00, 40.00 140.00 70.00, 70.00 170.00 -60.00, -60.00 40.00 -50.00, -50.00 50.00 -50.00, -50.00',
    ],
  ] as const)('with policy %s and cap %s carries what it should', async (policy, cap, expected) => {
    const me = await newUser()
    const account = await newAccount(me, { currency: 'EUR', openingDate: '2025-12-01' })
    const budget = await newBudget(me, { mode: 'limit' })
    const line = await newLine(me, budget, 'Food', {
      amount: '100.00',
      policy,
      ...(cap ? { cap } : {}),
    })
    const spent = ['60.00', '70.00', '230.00', '90.00', '100.00']
    for (const [at, amount] of spent.entries()) {
      const date = `2026-0${at + 1}-15`
      await book(me, account, { kind: 'expense', amount, date, categoryId: line.categoryId })
    }
    const found = []
    for (const month of MONTHS) {
      found.push(await limitRow(me, budget, line, month))
    }
    const shown = found.map((row) => `${row.carriedIn} ${row.total} ${row.remaining}`)
    const { carriedIn } = await limitRow(me, budget, line, AFTER)
    expect([...shown, carriedIn].join(', ')).toBe(expected)
    expect(found.every(({ amount }) => amount === '100.00')).toBe(true)
    expect(found.map((row) => row.spent)).toEqual(spent)
  })
})
