import type { ServerResponse } from 'node:http'
import { createMessageBatch } from 'cloudflare:test'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { SEND } from '../../../src/areas/events/webhooks/sending.usecases.ts'
import { testWebhook } from '../../../src/areas/events/webhooks/webhooks.routes.ts'
import { work } from '../../../src/areas/index.ts'
import { systemPorts } from '../../../src/platform/context.ts'
import { commit } from '../../../src/platform/database/database.ts'
import { mailTask } from '../../../src/platform/outbound/mail.ts'
import { openLanes } from '../../../src/platform/work/fair-turns.ts'
import { consume } from '../../../src/platform/work/tasks.ts'
import { ok, rows } from '../../support/api.ts'
import { contextWith } from '../../support/service.ts'
import { newUser } from '../../support/world.ts'
import { newHook, openReceiver, type Receiver } from './webhooks.fixtures.ts'

let receiver: Receiver
beforeAll(async () => {
  receiver = await openReceiver()
})
afterAll(() => receiver.close())
afterEach(() => rows('DELETE FROM webhooks'))

const queued = async (kind: string) =>
  (
    await rows<{ id: string }>("SELECT id FROM tasks WHERE kind = ? AND state = 'queued'", kind)
  ).map(({ id }) => id)

/** A delivery of the queue, and when each of its messages is settled. */
function deliveryOf(ids: string[]) {
  const settled = ids.map(() => Promise.withResolvers<'done' | 'again'>())
  const messages = ids.map((body) => ({ id: body, timestamp: new Date(), attempts: 1, body }))
  const batch = createMessageBatch('coffer-tasks', messages)
  batch.messages.forEach((message, at) => {
    message.ack = () => settled[at]?.resolve('done')
    message.retry = () => settled[at]?.resolve('again')
  })
  return { batch, settled: settled.map(({ promise }) => promise) }
}

it('hold up neither mails nor what came with them from the queue', async () => {
  const users = [await newUser(), await newUser(), await newUser()]
  for (const as of users) {
    await newHook(receiver, as, { types: ['tag.*'] })
    await ok(createTag, { as, json: { name: 'Slow' } })
  }
  for (let run = 0; run < 3; run++) {
    await receiver.dispatchOnce()
  }
  const held: ServerResponse[] = []
  const areAsked = Promise.withResolvers<void>()
  receiver.answer((_, response) => {
    held.push(response)
    if (held.length === 3) {
      areAsked.resolve()
    }
  })
  const mail = { to: 'ada@example.com', template: 'webhookDisabled', values: { at: 0 } } as const
  const ctx = contextWith()
  const tasks = [await mailTask(ctx, mail), await mailTask(ctx, mail)]
  await commit(ctx, { changes: [], tasks, result: undefined })
  const [first = '', second = ''] = await queued('mail.send')
  const sends = await queued(SEND)
  expect(sends).toHaveLength(3)

  const lanes = openLanes(1, 3)
  const beside = deliveryOf([...sends, first])
  const all = consume(work, beside.batch, receiver.bindings, undefined, lanes)
  await areAsked.promise
  const later = deliveryOf([second])
  await consume(work, later.batch, receiver.bindings, undefined, lanes)
  expect(await Promise.all([...later.settled, beside.settled.at(-1)])).toEqual(['done', 'done'])
  const waiting = await rows(
    "SELECT 1 FROM webhook_deliveries WHERE state = 'queued' AND attempts = 0",
  )
  expect(waiting, 'no receiver has answered yet').toHaveLength(3)

  held.forEach((response) => response.writeHead(204).end())
  await all
  expect(await rows("SELECT 1 FROM webhook_deliveries WHERE state = 'delivered'")).toHaveLength(3)
})

it('get one delivery in each run, also where they take it', async () => {
  const as = await newUser()
  await newHook(receiver, as, { types: ['tag.*'] })
  await ok(createTag, { as, json: { name: 'One' } })
  await ok(createTag, { as, json: { name: 'Two' } })
  await receiver.dispatchOnce()
  await receiver.dispatchOnce()
  let later = 0
  receiver.answer((_, response) => {
    later += 1500
    response.writeHead(204).end()
  })
  const ports = { ...systemPorts, now: () => Date.now() + later }
  const delivered = []
  for (let run = 0; run < 2; run++) {
    await consume(work, deliveryOf(await queued(SEND)).batch, receiver.bindings, ports)
    const sent = await rows(
      "SELECT 1 FROM webhook_deliveries w JOIN users u ON u.id = w.owner_id AND u.id = ? WHERE w.state = 'delivered'",
      as.id,
    )
    delivered.push(sent.length)
  }
  expect(delivered).toEqual([1, 2])
})

it('can be tested ten times a minute, whoever of the user asks at once', async () => {
  const as = await newUser()
  const { id } = await newHook(receiver, as)
  receiver.received.length = 0
  receiver.answerStatus(204)
  const asked = Array.from({ length: 15 }, () => receiver.call(testWebhook, { as, id }))
  const answers = (await Promise.all(asked)).map(({ status }) => status)
  expect(answers.filter((status) => status === 200)).toHaveLength(10)
  expect(answers.filter((status) => status === 429)).toHaveLength(5)
  expect(receiver.received).toHaveLength(10)
  const told = await rows(
    "SELECT 1 FROM log_entries WHERE type = 'webhook.tested' AND resource_id = ?",
    id,
  )
  expect(told).toHaveLength(10)
})
