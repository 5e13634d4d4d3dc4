import fc from 'fast-check'
import { afterEach, expect, it, vi } from 'vitest'
import { settleJob } from '../../../src/areas/planning/recurring/recurring.jobs.ts'
import { call, rows } from '../../support/api.ts'
import { randomFrom } from '../../support/random.ts'
import { SEED } from '../../support/rounds.ts'
import { contextWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { anySchedule, daysOf, expanded, textOf } from '../../domain/schedules/expander.fixtures.ts'
import { createRecurring } from '../../../src/areas/planning/recurring/recurring.routes.ts'
import { goneAt, today } from './recurring.fixtures.ts'

afterEach(() => void vi.useRealTimers())

const [FIRST, LAST] = ['2024-01-01', '2033-12-31']
/** Days of the new year may be moved back into the old one. */
const AFTER = '2034-01-05'
const SCHEDULES = 50
/** Days on which the service runs. */
const RUNS = 60
const KILLED = 20

it('ten years of fifty schedules are booked once, however often a run is fired or killed', async () => {
  const random = randomFrom(SEED)
  const schedules = fc.sample(anySchedule, { seed: SEED, numRuns: 3 * SCHEDULES })
  today(FIRST)
  const me = await newUser()
  const account = await newAccount(me, { openingDate: '2018-01-01' })
  const items: { id: string; schedule: (typeof schedules)[number] }[] = []
  for (const schedule of schedules) {
    const transaction = { kind: 'expense' as const, accountId: account.id, amount: '1' }
    const json = { name: 'Item', mode: 'post' as const, schedule, transaction, from: FIRST }
    const { status, body } = await call(createRecurring, { as: me, json })
    // A schedule may end before it begins.
    if (status === 201 && items.length < SCHEDULES) {
      items.push({ id: body.id, schedule })
    }
  }
  await rows(
    'DELETE FROM recurring WHERE owner_id = ? AND id NOT IN (SELECT value FROM json_each(?))',
    me.id,
    JSON.stringify(items.map(({ id }) => id)),
  )
  expect(items).toHaveLength(SCHEDULES)
  const span = daysOf(LAST) - daysOf(FIRST)
  const days = Array.from({ length: RUNS - 1 }, () => random.below(span)).toSorted((a, b) => a - b)
  const settle = (changed: object = {}) =>
    settleJob.run(contextWith({ now: Date.now(), ...changed }), { ownerId: me.id }, [])
  let killed = 0
  for (const [run, day] of [...days, span].entries()) {
    today(textOf(daysOf(FIRST) + day))
    if (run % (RUNS / KILLED) === 0) {
      const database = goneAt(1 + random.below(5), random.below(2) === 0)
      await settle({ database }).catch(() => (killed += 1))
    }
    const fired = await Promise.allSettled([settle(), settle(), settle()])
    expect(fired.filter(({ status }) => status === 'rejected')).toEqual([])
  }
  const booked = await rows<{ item: string; nominal: string; date: string }>(
    'SELECT recurring_id AS item, recurring_date AS nominal, date FROM transactions WHERE owner_id = ? AND recurring_id IS NOT NULL',
    me.id,
  )
  const found = Map.groupBy(booked, ({ item }) => item)
  for (const { id, schedule } of items) {
    const expected = expanded(schedule, FIRST, AFTER)
      .filter(({ date }) => date !== null && date <= LAST)
      .map(({ nominalDate, date }) => `${nominalDate} ${date}`)
    const made = (found.get(id) ?? []).map(({ nominal, date }) => `${nominal} ${date}`)
    expect(made.toSorted(), JSON.stringify(schedule)).toEqual(expected.toSorted())
  }
  expect([booked.length > 2000, killed >= KILLED / 2]).toEqual([true, true])
}, 120_000)
