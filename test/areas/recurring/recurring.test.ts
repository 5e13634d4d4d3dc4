import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  createRecurring,
  deleteRecurring,
  getRecurring,
  listRecurring,
  previewSchedule,
  updateOccurrence,
  updateRecurring,
  postOccurrences,
} from '../../../src/areas/planning/recurring/recurring.routes.ts'
import { restoreFromTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { work } from '../../../src/areas/index.ts'
import { call, ok, rows } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { on } from '../audit-log/old-log.ts'
import { deliver } from '../queue-tasks/tasks.ts'
import { refusal, tripsOf } from '../transactions/booking.ts'
import {
  bookedOn,
  MONTHLY,
  newItem,
  settle,
  sweep,
  statesOf,
  today,
  toldTo,
} from './recurring.fixtures.ts'

afterEach(() => void vi.useRealTimers())

const OPENED = { openingDate: '2024-01-01' }

describe('an item', () => {
  it('is created, shown, listed, changed, deleted and restored', async () => {
    today('2026-03-10')
    const me = await newUser()
    const account = await newAccount(me, OPENED)
    const json = {
      name: ' Rent ',
      mode: 'post' as const,
      schedule: MONTHLY,
      transaction: { kind: 'expense' as const, accountId: account.id, amount: '1200' },
    }
    const created = await call(createRecurring, { as: me, json })
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({
      ...{ name: 'Rent', purpose: 'other', mode: 'post', from: '2026-03-10', currency: 'EUR' },
      ...{ perYear: '14400.00', perMonth: '1200.00', occurrencesLeft: null, version: 1 },
      next: {
        nominalDate: '2026-03-15',
        date: '2026-03-15',
        status: 'upcoming',
        amount: '1200.00',
      },
    })
    const { id } = created.body
    expect(await ok(getRecurring, { as: me, id })).toEqual(created.body)
    const listed = await call(listRecurring, {
      as: me,
      query: { totals: 'true', status: 'upcoming' },
    })
    expect(listed.body).toEqual({
      recurring: [created.body],
      count: 1,
      totals: [
        {
          currency: 'EUR',
          in: { perMonth: '0.00', perYear: '0.00' },
          out: { perMonth: '1200.00', perYear: '14400.00' },
        },
      ],
      nextCursor: null,
    })
    expect(tripsOf(listed)).toBe(1)
    const changed = await ok(updateRecurring, { as: me, id, json: { name: 'Flat', leadDays: 5 } })
    expect(changed).toMatchObject({
      name: 'Flat',
      dropped: [],
      version: 2,
      next: { status: 'due' },
    })
    await ok(deleteRecurring, { as: me, id })
    expect(refusal(await call(getRecurring, { as: me, id }))).toEqual([404, 'recurring.notFound'])
    await ok(restoreFromTrash, { as: me, path: { kind: 'recurring', id } })
    expect(await ok(getRecurring, { as: me, id })).toMatchObject({ name: 'Flat', version: 3 })
  })

  it('is not seen by others', async () => {
    const [me, other] = [await newUser(), await newUser()]
    const { id } = await newItem(me, await newAccount(me))
    expect(refusal(await call(getRecurring, { as: other, id }))).toEqual([
      404,
      'recurring.notFound',
    ])
    expect((await ok(listRecurring, { as: other })).count).toBe(0)
  })

  it('previews a schedule', async () => {
    const me = await newUser()
    const json = {
      schedule: { unit: 'month' as const, anchor: '2027-12-31' },
      from: '2027-01-01',
      count: 3,
    }
    const { occurrences } = await ok(previewSchedule, { as: me, json })
    expect(occurrences.map(({ date }) => date)).toEqual(['2027-12-31', '2028-01-31', '2028-02-29'])
    const on = [{ weekday: 'mon' as const, nth: 6 }]
    const bad = await call(previewSchedule, {
      as: me,
      json: { schedule: { ...json.schedule, on } },
    })
    expect(refusal(bad)).toEqual([400, 'schedules.invalid', 'schedule.on.0.nth'])
  })
})

describe('a scheduled run', () => {
  it('books what is due, each once and on its own day', async () => {
    today('2024-10-18')
    let me = await newUser()
    const account = await newAccount(me, OPENED)
    const schedule = { unit: 'week' as const, anchor: '2024-10-18' }
    await newItem(me, account, { schedule })
    const booked = []
    for (const day of [
      '2024-10-18',
      '2024-10-25',
      '2024-11-15',
      '2024-12-13',
      '2025-01-03',
      '2025-02-14',
    ]) {
      me = await on(day, me)
      await settle(me)
      await settle(me)
      booked.push((await bookedOn(me, account)).length)
    }
    expect(booked).toEqual([1, 2, 5, 9, 12, 18])
    expect((await bookedOn(me, account)).at(-1)).toBe('2025-02-14 50.00')
  })

  it('starts one task for each owner with something due', async () => {
    today('2026-03-10')
    const me = await newUser()
    const account = await newAccount(me, OPENED)
    await newItem(me, account, { from: '2026-02-01' })
    await newItem(me, account)
    await Promise.all([sweep(), sweep()])
    const started = await rows<{ id: string }>(
      "SELECT id FROM tasks WHERE kind = 'recurring.settle' AND payload ->> 'ownerId' = ?",
      me.id,
    )
    expect(started).toHaveLength(1)
    await deliver(work, started[0]?.id ?? '', Date.parse('2026-03-10T12:00:01Z') - Date.now())
    expect(await bookedOn(me, account)).toEqual(['2026-02-15 50.00'])
    await sweep()
    const [left] = await rows<{ next: number }>(
      'SELECT min(next_at) AS next FROM recurring WHERE owner_id = ?',
      me.id,
    )
    expect(new Date(left?.next ?? 0).toISOString()).toBe('2026-03-15T00:00:00.000Z')
  })

  it('tells what waits', async () => {
    today('2026-03-01')
    const me = await newUser()
    const account = await newAccount(me, OPENED)
    await newItem(me, account, { mode: 'ask', leadDays: 3 })
    await settle(me)
    expect(await toldTo(me)).toEqual([])
    today('2026-03-12')
    await settle(me)
    await settle(me)
    expect(await toldTo(me)).toEqual(['recurring.waits 2026-03-15'])
  })
})

describe('one, this and following, all', () => {
  /** An item of 50.00 from February on, and its transaction with another amount. */
  async function rented() {
    today('2026-02-10')
    const me = await newUser()
    const account = await newAccount(me, OPENED)
    const { id } = await newItem(me, account)
    const transaction = { kind: 'expense' as const, accountId: account.id, amount: '65.00' }
    return { me, account, id, transaction }
  }
  const bookedUntilApril = async ({ me, account }: Awaited<ReturnType<typeof rented>>) => {
    await settle(await on('2026-04-20', me))
    return bookedOn(await on('2026-04-20', me), account)
  }

  it('changes only one', async () => {
    const rent = await rented()
    const path = { id: rent.id, date: '2026-03-15' }
    const changes = { amount: '65.00' }
    const changed = await ok(updateOccurrence, { as: rent.me, path, json: { changes } })
    expect(changed).toMatchObject({ amount: '65.00', changes })
    expect(await bookedUntilApril(rent)).toEqual([
      ...['2026-02-15 50.00', '2026-03-15 65.00', '2026-04-15 50.00'],
    ])
  })

  it('is named by its nominal date, and an error says which one is the nearest', async () => {
    const { me, id, account } = await rented()
    const change = (date: string, item = id) =>
      call(updateOccurrence, { as: me, path: { id: item, date }, json: { date: '2026-03-20' } })
    expect((await change('2026-03-15')).status).toBe(200)
    const moved = await change('2026-03-20')
    expect([moved.status, moved.error.error]).toEqual([
      404,
      'The item has no occurrence with the nominal date 2026-03-20. The nearest nominal date is 2026-03-15.',
    ])
    const json = { items: [{ recurringId: id, nominalDate: '2026-02-14' }] }
    const posted = await call(postOccurrences, { as: me, json })
    expect([posted.status, posted.error.field, posted.error.error]).toEqual([
      ...[400, 'items.0.nominalDate'],
      'The item has no occurrence with the nominal date 2026-02-14. The nearest nominal date is 2026-02-15.',
    ])
    const template = await newItem(me, account, { schedule: null })
    expect((await change('2026-03-15', template.id)).error.error).toBe(
      'The item has no occurrence with the nominal date 2026-03-15.',
    )
  })

  it('changes this and following', async () => {
    const rent = await rented()
    const { me, id, transaction } = rent
    const next = await ok(updateRecurring, {
      as: me,
      id,
      json: { from: '2026-03-15', transaction },
    })
    expect(next).toMatchObject({ previousId: id, from: '2026-03-15' })
    expect(await bookedUntilApril(rent)).toEqual([
      ...['2026-02-15 50.00', '2026-03-15 65.00', '2026-04-15 65.00'],
    ])
  })

  it('changes all that is not settled', async () => {
    const rent = await rented()
    const { id, transaction } = rent
    const me = await on('2026-03-01', rent.me)
    await settle(me)
    await ok(updateRecurring, { as: me, id, json: { transaction } })
    expect(await bookedUntilApril(rent)).toEqual([
      ...['2026-02-15 50.00', '2026-03-15 65.00', '2026-04-15 65.00'],
    ])
    expect(await statesOf(await on('2026-04-20', me), { id }, { to: '2026-05-31' })).toEqual([
      ...['2026-02-15 paid', '2026-03-15 paid', '2026-04-15 paid', '2026-05-15 upcoming'],
    ])
  })
})

describe('booking by hand', () => {
  it('books an occurrence once', async () => {
    today('2026-03-10')
    const me = await newUser()
    const account = await newAccount(me, OPENED)
    const item = await newItem(me, account, { mode: 'ask' })
    const json = {
      items: [{ recurringId: item.id, nominalDate: '2026-03-15', changes: { amount: '60' } }],
    }
    const all = await Promise.all(
      Array.from({ length: 20 }, () => call(postOccurrences, { as: me, json })),
    )
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await bookedOn(me, account)).toEqual(['2026-03-15 60.00'])
    expect(await statesOf(me, item, { to: '2026-03-31' })).toEqual(['2026-03-15 paid'])
  })

  it('books an occurrence once that a request names twice', async () => {
    today('2026-03-10')
    const me = await newUser()
    const account = await newAccount(me, OPENED)
    const item = await newItem(me, account, { mode: 'ask' })
    const one = { recurringId: item.id, nominalDate: '2026-03-15' }
    for (const dryRun of [true, false]) {
      const answer = await call(postOccurrences, { as: me, json: { items: [one, one], dryRun } })
      const problem = { code: 'recurring.settled', field: 'items.1.nominalDate' }
      expect(answer).toMatchObject({ status: 409, body: problem })
    }
    expect(await bookedOn(me, account)).toEqual([])
  })
})

describe('an item with very many occurrences', () => {
  it('is booked in steps from its first day on, and does not count what is left', async () => {
    today('2026-03-10')
    const me = await newUser()
    const account = await newAccount(me, { openingDate: '2025-01-01' })
    const schedule = { unit: 'day', anchor: '2025-10-01', until: '2200-12-31' } as const
    const item = await newItem(me, account, { schedule, from: '2025-10-01' })
    expect(item.occurrencesLeft).toBe(null)
    await settle(me)
    const days = await rows<{ date: string }>(
      'SELECT recurring_date AS date FROM transactions WHERE recurring_id = ? ORDER BY date',
      item.id,
    )
    expect([days.length, days[0]?.date, days.at(-1)?.date]).toEqual([
      ...[161, '2025-10-01', '2026-03-10'],
    ])
  })
})
