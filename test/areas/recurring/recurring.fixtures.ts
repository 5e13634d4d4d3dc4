import { vi } from 'vitest'
import {
  createRecurring,
  listOccurrences,
} from '../../../src/areas/planning/recurring/recurring.routes.ts'
import { dueSweep, settleJob } from '../../../src/areas/planning/recurring/recurring.jobs.ts'
import { listTransactions } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { ok, type Principal, rows } from '../../support/api.ts'
import { contextWith, databaseWith } from '../../support/service.ts'
import type { TestUser } from '../../support/world.ts'

type Input = NonNullable<NonNullable<Parameters<typeof ok<typeof createRecurring>>[1]>['json']>
export type ItemWanted = Partial<Input>

/** Sets the clock to noon of a day, in UTC. */
export const today = (date: string): void => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(`${date}T12:00:00Z`) })
}

export const MONTHLY = { unit: 'month', anchor: '2026-01-15' } as const

/** Creates an expense of 50.00 on each 15th, which the service books, unless told otherwise. */
export const newItem = (
  as: Principal,
  account: { id: string },
  { transaction, ...wanted }: Omit<ItemWanted, 'transaction'> & { transaction?: object } = {},
) =>
  ok(createRecurring, {
    as,
    json: {
      name: 'Rent',
      mode: 'post',
      schedule: MONTHLY,
      transaction: { kind: 'expense', accountId: account.id, amount: '50.00', ...transaction },
      ...wanted,
    } as Input,
  })

/** What a scheduled run does for a user now. */
export async function settle({ id }: Pick<TestUser, 'id'>): Promise<void> {
  await settleJob.run(contextWith({ now: Date.now() }), { ownerId: id }, [])
}

export const sweep = () => dueSweep(contextWith({ now: Date.now() }))

/** The days and amounts of an account's transactions, the oldest first. */
export const bookedOn = async (as: Principal, account: { id: string }) =>
  (
    await ok(listTransactions, { as, query: { accountId: account.id, sort: 'date', limit: 200 } })
  ).transactions
    .filter(({ kind }) => kind !== 'opening')
    .map(({ date, amount }) => `${date} ${amount}`)

/** The nominal dates and states of occurrences. */
export const statesOf = async (as: Principal, item: { id: string }, query: object = {}) =>
  (await ok(listOccurrences, { as, id: item.id, query: { limit: 200, ...query } })).occurrences.map(
    ({ nominalDate, status }) => `${nominalDate} ${status}`,
  )

/** The kinds of what a user was told, the oldest first. */
export const toldTo = async ({ id }: Pick<TestUser, 'id'>): Promise<string[]> =>
  (
    await rows<{ kind: string; facts: string }>(
      'SELECT kind, facts FROM notifications WHERE user_id = ? ORDER BY created_at, id',
      id,
    )
  ).map(
    ({ kind, facts }) => `${kind} ${(JSON.parse(facts) as { nominalDate: string }).nominalDate}`,
  )

/** A database that is gone at a trip, before or after it was made. */
export const goneAt = (at: number, isDone: boolean) =>
  databaseWith(async (trip, go) => {
    if (trip < at) {
      return go()
    }
    await (isDone ? go() : undefined)
    throw new Error('killed')
  }).withSession('first-primary')
