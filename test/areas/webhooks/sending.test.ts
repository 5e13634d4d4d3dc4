import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  deleteWebhook,
  getWebhook,
  listDeliveries,
  retryDelivery,
  testWebhook,
  updateWebhook,
} from '../../../src/areas/events/webhooks/webhooks.routes.ts'
import { purgeDeliveriesJob } from '../../../src/areas/events/webhooks/webhooks.jobs.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { createTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { contextWith, serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { book, refusal } from '../transactions/booking.ts'
import { share } from '../sharing/sharing.ts'
import { deliveriesOf, newHook, openReceiver, type Receiver } from './webhooks.fixtures.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

let receiver: Receiver
beforeAll(async () => {
  receiver = await openReceiver()
})
afterAll(() => receiver.close())
afterEach(async () => {
  // No test is sent what another one has left.
  await rows('DELETE FROM webhooks')
  receiver.received.length = 0
  receiver.answerStatus(204)
})

let serial = 0
const tag = (as: Principal) => ok(createTag, { as, json: { name: `Tag ${++serial}` } })

const bodies = () => receiver.received.map(({ body }) => body)
const numbers = () => bodies().map(({ sequence }) => sequence)

describe('an event', () => {
  it('is sent once with ids and versions alone, signed so that the published library verifies it', async () => {
    const me = await newUser()
    const { secret } = await newHook(receiver, me)
    const account = await newAccount(me)
    const booked = await book(me, account)
    await receiver.settle()
    await receiver.settle(DAY)
    expect(bodies().map(({ type, sequence }) => [type, sequence])).toEqual([
      ['account.created', 1],
      ['transaction.created', 2],
    ])
    const [, told] = receiver.received
    expect(told?.headers).toMatchObject({
      ...{ 'content-type': 'application/json', 'user-agent': 'Coffer-Webhooks/1' },
    })
    const { type, timestamp, data } = told?.body ?? {}
    const facts = { id: booked.id, version: 1, accountId: account.id }
    expect(told?.text).toBe(JSON.stringify({ type, timestamp, data: facts, sequence: 2 }))
    expect(data).toEqual(facts)
    for (const { text, headers } of receiver.received) {
      expect(new Webhook(secret).verify(text, headers as Record<string, string>)).toBeTruthy()
      const broken = text.replace('"version":1', '"version":2')
      expect(() => new Webhook(secret).verify(broken, headers as Record<string, string>)).toThrow(
        'No matching signature',
      )
    }
  })

  it('is told to webhooks of its type, of its account, and not of an ignored token', async () => {
    const me = await newUser()
    const [one, two] = [await newAccount(me), await newAccount(me)]
    const token = await giveToken(me, ['transactions.write'])
    const url = (path: string) => `${receiver.url}/${path}`
    await newHook(receiver, me, { url: url('tags'), types: ['tag.*', 'budget.created'] })
    await newHook(receiver, me, { url: url('one'), accountIds: [one.id] })
    await newHook(receiver, me, { url: url('others'), ignoreTokenIds: [token.id] })
    await newHook(receiver, me, { url: url('tokens'), types: ['accessToken.created'] })
    receiver.received.length = 0
    await receiver.settle()
    receiver.received.length = 0
    await tag(me)
    await book(me, two)
    await ok(createTransaction, {
      as: token,
      json: { kind: 'expense', accountId: one.id, date: '2026-01-05', amount: '2' },
    })
    await giveToken(me, ['read'])
    await ok(createTransfer, {
      as: me,
      json: { fromAccountId: one.id, toAccountId: two.id, date: '2026-01-05', amount: '3' },
    })
    await receiver.settle()
    const told = receiver.received.map(({ path, body }) => `${path.split('/').at(-1)} ${body.type}`)
    expect(told.toSorted()).toEqual([
      'one transaction.created',
      'one transaction.created',
      'others tag.created',
      'others transaction.created',
      'others transaction.created',
      'others transaction.created',
      'tags tag.created',
      'tokens accessToken.created',
    ])
    const ofOne = receiver.received.filter(({ path }) => path.endsWith('/one'))
    expect(ofOne.map(({ body }) => body.data['accountId'])).toEqual([one.id, one.id])
  })

  it('of what others record on an own account is told to its owner alone', async () => {
    const [me, other] = [await newUser(), await newUser()]
    const account = await newAccount(me)
    await share(me, account, other, { permission: 'write' })
    await newHook(receiver, me, { url: `${receiver.url}/mine`, types: ['transaction.*'] })
    await newHook(receiver, other, { url: `${receiver.url}/theirs`, types: ['transaction.*'] })
    await book(other, account)
    await receiver.settle()
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook/mine'])
  })

  it('that was not committed is not told', async () => {
    const me = await newUser()
    const { id } = await newHook(receiver, me, { types: ['tag.*'] })
    const name = `Tag ${++serial}`
    await ok(createTag, { as: me, json: { name } })
    const refused = await call(createTag, { as: me, json: { name } })
    expect(refused.status).toBe(409)
    await receiver.settle()
    expect([numbers(), (await deliveriesOf(me, id)).length]).toEqual([[1], 1])
  })

  it('from before the webhook was active is not told', async () => {
    const me = await newUser()
    await newHook(receiver, me, { types: ['budget.*'] })
    await tag(me)
    const { id } = await newHook(receiver, me, { types: ['tag.*'] })
    await tag(me)
    await ok(updateWebhook, { as: me, id, json: { active: false } })
    await tag(me)
    await ok(updateWebhook, { as: me, id, json: { active: true } })
    await tag(me)
    await receiver.settle()
    expect(bodies().map(({ type, sequence }) => [type, sequence])).toEqual([['tag.created', 1]])
  })
})

describe('a new secret', () => {
  it('signs first, and for a day the previous one as well', async () => {
    const me = await newUser()
    const { id, secret } = await newHook(receiver, me, { types: ['tag.*'] })
    const { secret: next = '' } = await ok(updateWebhook, { as: me, id, json: { newSecret: true } })
    await tag(me)
    await receiver.settle()
    await tag(me)
    await receiver.settle(DAY + 1000)
    const [both, one] = receiver.received.map(({ headers }) =>
      String(headers['webhook-signature']).split(' '),
    )
    expect([both?.length, one?.length]).toEqual([2, 1])
    const [first] = receiver.received
    const signed = {
      ...(first?.headers as Record<string, string>),
      'webhook-signature': both?.[0] ?? '',
    }
    expect(new Webhook(next).verify(first?.text ?? '', signed)).toBeTruthy()
    for (const each of [secret, next]) {
      const headers = first?.headers as Record<string, string>
      expect(new Webhook(each).verify(first?.text ?? '', headers)).toBeTruthy()
    }
    await purgeDeliveriesJob.run(contextWith({ now: Date.now() + DAY + 1000 }), {}, [])
    expect(await rows('SELECT previous_secret AS p FROM webhooks WHERE id = ?', id)).toEqual([
      { p: null },
    ])
  })
})

describe('a delivery that fails', () => {
  it.each<[string, () => void, object]>([
    ['with a status', () => receiver.answerStatus(500), { lastStatus: 500, lastReason: 'status' }],
    [
      'with a redirect, which is not followed',
      () => receiver.answerStatus(307, { Location: receiver.url }),
      { lastStatus: 307, lastReason: 'redirect' },
    ],
    [
      'with a broken connection',
      () => receiver.answer((_, response) => response.socket?.resetAndDestroy()),
      { lastStatus: null, lastReason: 'network' },
    ],
  ])('%s is sent again with the same id and bytes', async (_, fail, outcome) => {
    const me = await newUser()
    const { id } = await newHook(receiver, me, { types: ['tag.*'] })
    await tag(me)
    fail()
    await receiver.settle()
    const [failed] = await deliveriesOf(me, id, { state: 'failed' })
    expect(failed).toMatchObject({ sequence: 1, state: 'failed', attempts: 1, ...outcome })
    const wait = Date.parse(failed?.nextAttemptAt ?? '') - Date.now()
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(5500)
    const webhook = await ok(getWebhook, { as: me, id })
    expect([webhook.state, webhook.failingSince, webhook.version]).toEqual([
      ...['failing', expect.any(String), 1],
    ])
    receiver.answerStatus(200)
    await receiver.settle(6000)
    expect(await deliveriesOf(me, id)).toMatchObject([
      { state: 'delivered', attempts: 2, lastStatus: 200, lastReason: null, nextAttemptAt: null },
    ])
    const [first, second] = receiver.received
    expect(receiver.received).toHaveLength(2)
    expect([second?.text, second?.headers['webhook-id']]).toEqual([
      ...[first?.text, first?.headers['webhook-id']],
    ])
    expect((await ok(getWebhook, { as: me, id })).state).toBe('active')
  })

  it('waits as long as the receiver asks, up to a day', async () => {
    const me = await newUser()
    const { id } = await newHook(receiver, me, { types: ['tag.*'] })
    await tag(me)
    receiver.answerStatus(429, { 'Retry-After': '7200' })
    await receiver.settle()
    const waitOf = async () =>
      Date.parse((await deliveriesOf(me, id))[0]?.nextAttemptAt ?? '') - Date.now()
    expect(Math.round((await waitOf()) / MINUTE)).toBe(120)
    await receiver.settle(HOUR)
    expect(receiver.received).toHaveLength(1)
    receiver.answerStatus(503, {
      'Retry-After': new Date(Date.now() + 9 * DAY).toUTCString(),
    })
    await receiver.settle(3 * HOUR)
    expect(Math.round((await waitOf()) / HOUR)).toBe(27)
  })

  it('is dead after ten attempts, and is sent again by hand', async () => {
    const me = await newUser()
    const { id } = await newHook(receiver, me, { types: ['tag.*'] })
    await tag(me)
    receiver.answerStatus(500)
    const waits: number[] = []
    let later = 0
    for (let attempt = 1; attempt <= 10; attempt++) {
      await receiver.settle(later)
      const [one] = await deliveriesOf(me, id)
      const now = Date.now() + later
      const next = one?.nextAttemptAt ?? null
      expect([one?.attempts, one?.state]).toEqual([attempt, next === null ? 'dead' : 'failed'])
      if (next !== null) {
        waits.push(Date.parse(next) - now)
        later = Date.parse(next) - Date.now() + 1
      }
    }
    const schedule = [5000, 5 * MINUTE, 30 * MINUTE, ...[2, 5, 10, 14, 20, 24].map((h) => h * HOUR)]
    expect(waits).toHaveLength(schedule.length)
    waits.forEach((wait, at) => {
      expect(wait).toBeGreaterThan((schedule[at] ?? 0) - 1000)
      expect(wait).toBeLessThanOrEqual((schedule[at] ?? 0) * 1.1)
    })
    await receiver.settle(20 * DAY)
    expect(receiver.received).toHaveLength(10)
    receiver.answerStatus(200)
    const again = { as: me, path: { id, sequence: '1' } }
    expect(await ok(retryDelivery, again)).toMatchObject({ sequence: 1, state: 'queued' })
    await receiver.settle()
    expect(await deliveriesOf(me, id)).toMatchObject([{ state: 'delivered', attempts: 11 }])
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1)
    const unknown = await call(retryDelivery, { as: me, path: { id, sequence: '2' } })
    expect(refusal(unknown)).toEqual([404, 'webhooks.deliveryNotFound'])
  })

  it('disables the webhook if the receiver is gone', async () => {
    const me = await newUser()
    const { id } = await newHook(receiver, me, { types: ['tag.*'] })
    await tag(me)
    await tag(me)
    receiver.answerStatus(410)
    await receiver.settle()
    await tag(me)
    await receiver.settle(DAY)
    expect(receiver.received).toHaveLength(1)
    const webhook = await ok(getWebhook, { as: me, id })
    expect([webhook.state, webhook.active, webhook.version]).toEqual(['disabled', false, 2])
    expect(await notificationsOf(me.id)).toEqual([{ facts: '{"reason":"gone"}' }])
    const again = { as: me, path: { id, sequence: '1' } }
    expect(refusal(await call(retryDelivery, again))).toEqual([409, 'webhooks.disabled'])
    receiver.answerStatus(200)
    await ok(updateWebhook, { as: me, id, json: { active: true } })
    await receiver.settle(DAY)
    expect(numbers()).toEqual([1, 1, 2])
  })

  it('disables the webhook after four days, with one notification and one mail', async () => {
    const me = await newUser()
    await rows('UPDATE users SET email_verified_at = 1 WHERE id = ?', me.id)
    const { id } = await newHook(receiver, me, { types: ['tag.*'] })
    receiver.answerStatus(500)
    const { accessToken } = await giveToken(me, ['tags.write'])
    for (let day = 0; day <= 6; day++) {
      const { call: callLater } = serviceWith({ ahead: day * DAY })
      await callLater(createTag, { as: { accessToken }, json: { name: `Tag ${++serial}` } })
      await receiver.settle(day * DAY)
      const { state } = await ok(getWebhook, { as: me, id })
      expect(state).toBe(day < 4 ? 'failing' : 'disabled')
    }
    expect(await notificationsOf(me.id)).toEqual([{ facts: '{"reason":"failing"}' }])
    const mails = await rows(
      "SELECT 1 FROM tasks WHERE kind = 'mail.send' AND summary = 'webhookDisabled'",
    )
    expect(mails).toHaveLength(1)
    const [event] = await rows<object>(
      "SELECT owner_id, content FROM log_entries WHERE type = 'webhook.disabled' AND resource_id = ?",
      id,
    )
    expect(event).toEqual({ owner_id: me.id, content: '{"reason":"failing"}' })
  })
})

const notificationsOf = (userId: string) =>
  rows("SELECT facts FROM notifications WHERE kind = 'webhook.disabled' AND user_id = ?", userId)

describe('a receiver', () => {
  it('is not asked again at once where it does not answer, and the rest waits', async () => {
    const me = await newUser()
    await newHook(receiver, me, { types: ['tag.*'] })
    receiver.answer((_, response) => response.socket?.resetAndDestroy())
    for (let at = 0; at < 5; at++) {
      await tag(me)
    }
    await receiver.settle()
    expect(receiver.received).toHaveLength(1)
    receiver.answerStatus(200)
    await receiver.settle(6000)
    expect(new Set(numbers())).toEqual(new Set([1, 2, 3, 4, 5]))
  })

  it('may answer more than anybody reads', async () => {
    const me = await newUser()
    const { id } = await newHook(receiver, me, { types: ['tag.*'] })
    await tag(me)
    receiver.answer((_, response) => {
      response.writeHead(200)
      const more = setInterval(() => response.write('x'.repeat(100_000)), 1)
      response.on('close', () => clearInterval(more))
    })
    await receiver.settle()
    expect(await deliveriesOf(me, id)).toMatchObject([{ state: 'delivered' }])
  })

  it('is tested without a delivery, also while the webhook is not active', async () => {
    const me = await newUser()
    const { id, secret } = await newHook(receiver, me, { types: ['tag.*'], active: false })
    receiver.answerStatus(418)
    const { body } = await receiver.call(testWebhook, { as: me, id })
    expect(body).toEqual({ status: 418, ms: expect.any(Number), reason: 'status' })
    const [test] = receiver.received
    expect(test?.body).toMatchObject({
      type: 'webhook.test',
      data: { id, version: 1 },
      sequence: 0,
    })
    expect(
      new Webhook(secret).verify(test?.text ?? '', test?.headers as Record<string, string>),
    ).toBeTruthy()
    expect(await deliveriesOf(me, id)).toEqual([])
  })

  it('gets nothing while its user is not active', async () => {
    const me = await newUser()
    await newHook(receiver, me, { types: ['tag.*'] })
    await tag(me)
    await rows("UPDATE users SET status = 'disabled' WHERE id = ?", me.id)
    await receiver.settle()
    expect(receiver.received).toEqual([])
    await rows("UPDATE users SET status = 'active' WHERE id = ?", me.id)
    await receiver.settle(MINUTE)
    expect(numbers()).toEqual([1])
  })
})

describe('deliveries', () => {
  it('are listed newest first, page by page, by their state', async () => {
    const me = await newUser()
    const { id } = await newHook(receiver, me, { types: ['tag.*'] })
    for (let at = 0; at < 25; at++) {
      await tag(me)
    }
    await receiver.settle()
    expect(numbers()).toEqual(Array.from({ length: 25 }, (_, at) => at + 1))
    const first = await ok(listDeliveries, { as: me, id, query: { limit: 10 } })
    expect(first.deliveries.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 10 }, (_, at) => 25 - at),
    )
    const cursor = first.nextCursor ?? ''
    const second = await ok(listDeliveries, { as: me, id, query: { limit: 10, cursor } })
    expect([second.count, second.deliveries[0]?.sequence]).toEqual([25, 15])
    const dead = await ok(listDeliveries, { as: me, id, query: { state: 'dead' } })
    expect([dead.count, dead.deliveries]).toEqual([0, []])
  })

  it('are erased after thirty days, and with their webhook', async () => {
    const me = await newUser()
    const { id } = await newHook(receiver, me, { types: ['tag.*'] })
    await tag(me)
    await receiver.settle()
    const left = () => rows('SELECT 1 FROM webhook_deliveries WHERE webhook_id = ?', id)
    await purgeDeliveriesJob.run(contextWith({ now: Date.now() + 29 * DAY }), {}, [])
    expect(await left()).toHaveLength(1)
    await purgeDeliveriesJob.run(contextWith({ now: Date.now() + 31 * DAY }), {}, [])
    expect(await left()).toEqual([])
    await tag(me)
    await receiver.settle()
    expect(numbers()).toEqual([1, 2])
    await ok(deleteWebhook, { as: me, id })
    await receiver.settle()
    expect(await left()).toEqual([])
    expect(await rows('SELECT 1 FROM log_listeners WHERE owner_id = ?', me.id)).toEqual([])
  })
})
