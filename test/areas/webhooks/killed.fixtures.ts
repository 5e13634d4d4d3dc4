import { Webhook } from 'standardwebhooks'
import { expect } from 'vitest'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { createTransactions } from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import { endLeasesBefore } from '../../../src/platform/work/tasks.ts'
import { call, ok, rows } from '../../support/api.ts'
import { randomFrom } from '../../support/random.ts'
import { SEED } from '../../support/rounds.ts'
import { databaseWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { expenseOn } from '../transactions/booking.ts'
import { newHook, openReceiver, type Received } from './webhooks.fixtures.ts'

const MINUTE = 60_000

interface Trial {
  /** Events of commits that hold, and commits that are refused. */
  events: number
  refused: number
  /** How often the process that sends is killed. */
  kills: number
}

/** A database that goes away after so many trips: before the last one is stored, or after that. */
function killedAfter(trips: number, isStored: boolean) {
  let left = trips
  const database = databaseWith(async (_, run) => {
    left -= 1
    const results = left > 0 || (left === 0 && isStored) ? await run() : []
    if (left <= 0) {
      throw new Error('killed')
    }
    return results
  })
  return { database, isDead: () => left <= 0 }
}

/**
 * Sends events to a receiver that fails three times of ten, while the process that sends is killed again and again. Each event
 * arrives, signed and at most rarely twice, and nothing else does. Gives how many arrived.
 */
export async function arriveThroughKills({ events, refused, kills }: Trial): Promise<number> {
  const random = randomFrom(SEED)
  const receiver = await openReceiver()
  const me = await newUser()
  const account = await newAccount(me)
  const { id, secret } = await newHook(receiver, me, { types: ['transaction.*', 'tag.*'] })
  const taken: Received[] = []
  receiver.answer((one, response) => {
    if (random.chance(0.7)) {
      taken.push(one)
      return response.writeHead(204).end()
    }
    const status = random.pick([500, 429, 307, 0])
    return status === 0
      ? response.socket?.resetAndDestroy()
      : response.writeHead(status, { Location: receiver.url }).end()
  })
  await ok(createTag, { as: me, json: { name: 'Taken' } })
  for (let at = 0; at < refused; at++) {
    expect((await call(createTag, { as: me, json: { name: 'Taken' } })).status).toBe(409)
  }
  for (let left = events - 1; left > 0; left -= 100) {
    const transactions = Array.from({ length: Math.min(left, 100) }, () => expenseOn(account))
    await ok(createTransactions, { as: me, json: { transactions } })
  }
  let later = 0
  const stored = receiver.bindings.DB
  for (let kill = 0; kill < kills; kill++) {
    const { database, isDead } = killedAfter(random.whole(1, 60), random.chance(0.5))
    receiver.bindings.DB = database
    for (let run = 0; run < 50 && !isDead(); run++) {
      await receiver.dispatchOnce(later).catch(() => undefined)
      await receiver.sendDueTasks(later).catch(() => undefined)
    }
    receiver.bindings.DB = stored
    later += MINUTE
    await endLeasesBefore(Date.now() + later, receiver.bindings)
  }
  for (let run = 0; run < events && (await isLeft(id)); run++) {
    await receiver.settle(later)
    later += MINUTE
  }
  const logged = await rows<{ id: string }>(
    `SELECT replace(id, 'log_', 'evt_') AS id FROM log_entries WHERE owner_id = ?
      AND type IN ('transaction.created', 'tag.created')`,
    me.id,
  )
  expect(logged).toHaveLength(events)
  const byId = Map.groupBy(taken, ({ headers }) => String(headers['webhook-id']))
  expect(new Set(byId.keys())).toEqual(new Set(logged.map((one) => one.id)))
  expect(taken.length).toBeLessThanOrEqual(Math.ceil(events * 1.05))
  const numbers = [...byId.values()].map(([first]) => first?.body.sequence ?? 0)
  expect(numbers.toSorted((a, b) => a - b)).toEqual(logged.map((_, at) => at + 1))
  for (const [eventId, copies] of byId) {
    expect(new Set(copies.map(({ text }) => text)).size).toBe(1)
    for (const { headers, text } of copies) {
      const sentAt = new Date(Number(headers['webhook-timestamp']) * 1000)
      expect(headers['webhook-signature']).toBe(new Webhook(secret).sign(eventId, sentAt, text))
    }
  }
  receiver.close()
  return byId.size
}

const isLeft = async (webhookId: string): Promise<boolean> => {
  const [found] = await rows<{ written: number; left: number }>(
    `SELECT count(*) AS written, sum(state <> 'delivered') AS left FROM webhook_deliveries WHERE webhook_id = ?`,
    webhookId,
  )
  return !found || found.written === 0 || found.left > 0
}
