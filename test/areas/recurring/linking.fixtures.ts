import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { work } from '../../../src/areas/index.ts'
import {
  recurringLinksReader,
  recurringPricesReader,
} from '../../../src/areas/planning/recurring/recurring.readers.ts'
import {
  listOccurrences,
  listRecurringMatches,
} from '../../../src/areas/planning/recurring/recurring.routes.ts'
import { systemPorts } from '../../../src/platform/context.ts'
import { systemContext } from '../../../src/platform/system-context.ts'
import { runReaders } from '../../../src/platform/work/readers.ts'
import { ok, type Principal, rows } from '../../support/api.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { deliver } from '../queue-tasks/tasks.ts'
import { book } from '../transactions/booking.ts'
import { type ItemWanted, newItem } from './recurring.fixtures.ts'

export const OPENED = { openingDate: '2024-01-01' }

/** Somebody who pays a gym from an account. */
export async function gym() {
  const me = await newUser()
  const account = await newAccount(me, OPENED)
  const { id: payeeId } = await ok(createPayee, { as: me, json: { name: 'Fit and Co' } })
  return { me, account, payeeId }
}

/** With an item that waits for what they pay. */
export async function waitingGym(wanted: Omit<ItemWanted, 'transaction'> = {}) {
  const { me, account, payeeId } = await gym()
  const item = await waitingItem(me, account, { ...wanted, transaction: { payeeId } })
  return { me, account, payeeId, item }
}

const readers = [recurringLinksReader, recurringPricesReader]

/** Lets the readers go through the log to its end. The queue may run them at the same time. */
async function readOn(): Promise<void> {
  const [end] = await rows<{ number: number }>('SELECT max(number) AS number FROM log_events')
  const contextFor = (operation: string) => systemContext(env, operation, systemPorts)
  const isBehind = async () =>
    (
      await rows(
        'SELECT 1 FROM log_readers WHERE name LIKE ? AND cursor < ?',
        'recurring.%',
        end?.number ?? 0,
      )
    ).length > 0
  await runReaders(readers, contextFor)
  do {
    await runReaders(readers, contextFor)
  } while (await isBehind())
}

/** Does what the queue does after a commit: links transactions of a user, and follows prices. */
export async function linked({ id }: Pick<TestUser, 'id'>): Promise<void> {
  await readOn()
  const waiting = () =>
    rows<{ id: string }>(
      `SELECT id FROM tasks WHERE kind = 'recurring.link' AND payload ->> 'ownerId' = ? AND state IN ('queued', 'running') ORDER BY id`,
      id,
    )
  for (const task of await waiting()) {
    await deliver(work, task.id)
  }
  await readOn()
  // What it does itself is no reason to do it again.
  expect(await waiting()).toEqual([])
}

/** An item of 50.00, about 10 %, on each 28th, that waits for transactions. */
export const waitingItem = (
  as: Principal,
  account: { id: string },
  { transaction, ...wanted }: Omit<ItemWanted, 'transaction'> & { transaction?: object } = {},
) =>
  newItem(as, account, {
    ...{ name: 'Gym', mode: 'expect', amountIs: 'about', dayWindow: 5 },
    schedule: { unit: 'month', anchor: '2026-01-28' },
    ...wanted,
    transaction: transaction as never,
  })

export const paid = (
  as: Principal,
  account: { id: string },
  date: string,
  amount: string,
  more: object = {},
) => book(as, account, { date, amount, ...more })

/** The nominal dates of occurrences with the transactions that are linked to them. */
export const linksOf = async (as: Principal, item: { id: string }, to = '2026-12-31') =>
  Object.fromEntries(
    (await ok(listOccurrences, { as, id: item.id, query: { limit: 200, to } })).occurrences
      .filter(({ transactionIds }) => transactionIds.length > 0)
      .map(({ nominalDate, transactionIds }) => [nominalDate, transactionIds]),
  )

export const matchesOf = async (as: Principal, query: { to?: string } = {}) =>
  (await ok(listRecurringMatches, { as, query })).matches.map(
    ({ nominalDate, transactionId, score }) => [nominalDate, transactionId, score],
  )
