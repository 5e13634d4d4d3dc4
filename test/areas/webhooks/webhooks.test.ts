import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listDeliveries,
  listWebhooks,
  retryDelivery,
  testWebhook,
  updateWebhook,
} from '../../../src/areas/events/webhooks/webhooks.routes.ts'
import { deleteAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import { WEBHOOK_SECRETS } from '../../../src/platform/secrets/sealed-columns.ts'
import { resealAll } from '../../../src/platform/secrets/reseal.ts'
import { call, ok, rows } from '../../support/api.ts'
import { INNER_HOSTS } from '../../support/addresses.ts'
import { someId } from '../../support/of-file.ts'
import { contextWith, serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { refusal } from '../transactions/booking.ts'
import { deliveriesOf, newHook, openReceiver, type Receiver } from './webhooks.fixtures.ts'

const URL_TEXT = 'https://receiver.example/hook'
const DAY = 24 * 60 * 60 * 1000

const create = (as: Parameters<typeof newHook>[1], wanted: object = {}) =>
  call(createWebhook, { as, json: { url: URL_TEXT, types: ['*'], ...wanted } })

describe('a webhook', () => {
  it('is created with a secret that is shown once', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const { id: tokenId } = await giveToken(me, ['read'])
    const wanted = {
      types: ['transaction.*', 'session.created'],
      ...{ accountIds: [account.id], ignoreTokenIds: [tokenId], description: 'Mine' },
    }
    const { status, body } = await create(me, wanted)
    const { secret = '', ...shown } = body
    expect(status).toBe(201)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/)
    expect(shown).toEqual({
      ...{ id: expect.stringMatching(/^whk_/), url: URL_TEXT, ...wanted, active: true },
      ...{ state: 'active', failingSince: null, secretPrefix: secret.slice(0, 10), version: 1 },
      ...{ createdAt: expect.any(String), updatedAt: expect.any(String) },
    })
    const read = await call(getWebhook, { as: me, id: body.id })
    expect(read.body).toEqual(shown)
    expect(read.headers.get('ETag')).toMatch(/^"1-/)
    expect((await ok(listWebhooks, { as: me })).webhooks).toEqual([shown])
    const [stored] = await rows<{ secret: string }>('SELECT secret FROM webhooks')
    expect(stored?.secret).toMatch(/^v1\./)
    const log = await rows<{ content: string }>(
      "SELECT content FROM log_entries WHERE resource_type = 'webhook'",
    )
    expect(log[0]?.content).toContain(secret.slice(0, 10))
    expect(log[0]?.content).not.toContain(stored?.secret)
  })

  it('has only the fields changed that are sent, in the version that was read', async () => {
    const me = await newUser()
    const { id } = (await create(me, { description: 'One' })).body
    const changed = await call(updateWebhook, {
      ...{ as: me, id, headers: { 'If-Match': '"1"' } },
      json: { types: ['tag.*'], active: false },
    })
    expect(changed.body).toMatchObject({
      ...{ types: ['tag.*'], description: 'One', active: false, state: 'disabled', version: 2 },
    })
    expect(changed.body).not.toHaveProperty('secret')
    const stale = { as: me, id, headers: { 'If-Match': '"1"' } }
    expect(refusal(await call(updateWebhook, { ...stale, json: {} }))).toEqual([
      ...[412, 'request.stale'],
    ])
    expect(refusal(await call(deleteWebhook, stale))).toEqual([412, 'request.stale'])
  })

  it('is erased when it is deleted', async () => {
    const me = await newUser()
    const { id } = (await create(me)).body
    expect((await ok(deleteWebhook, { as: me, id })).message).toBe('The webhook was deleted.')
    expect(refusal(await call(getWebhook, { as: me, id }))).toEqual([404, 'webhooks.notFound'])
    expect(await rows('SELECT 1 FROM webhooks WHERE id = ?', id)).toEqual([])
  })

  it('is there for nobody else', async () => {
    const [me, other] = [await newUser(), await newUser()]
    const { id } = (await create(me)).body
    expect((await ok(listWebhooks, { as: other })).count).toBe(0)
    const as = { as: other, id }
    const answers = [
      await call(getWebhook, as),
      await call(updateWebhook, { ...as, json: {} }),
      await call(deleteWebhook, as),
      await call(testWebhook, as),
      await call(listDeliveries, as),
      await call(retryDelivery, { as: other, path: { id, sequence: '1' } }),
    ]
    expect(answers.map(refusal)).toEqual(answers.map(() => [404, 'webhooks.notFound']))
  })

  it('may be one of twenty', async () => {
    const me = await newUser()
    for (let at = 0; at < 20; at++) {
      await create(me)
    }
    expect(refusal(await create(me))).toEqual([409, 'webhooks.tooMany'])
  })
})

describe('what a webhook refuses', () => {
  it.each([
    'transactions.created',
    'transaction',
    'nothing.*',
    'session.*',
    'mfa.*',
    'tag*',
    '*.*',
  ])('is the type %s', async (type) => {
    const me = await newUser()
    const refused = [400, 'webhooks.unknownType', 'types.1']
    expect(refusal(await create(me, { types: ['*', type] }))).toEqual(refused)
    const { id } = (await create(me)).body
    const json = { types: ['*', type] }
    expect(refusal(await call(updateWebhook, { as: me, id, json }))).toEqual(refused)
  })

  it('are accounts and tokens of others, with all problems at once', async () => {
    const [me, other] = [await newUser(), await newUser()]
    const [mine, foreign] = [await newAccount(me), await newAccount(other)]
    const token = await giveToken(other, ['read'])
    const wrong = { accountIds: [mine.id, foreign.id], ignoreTokenIds: [token.id] }
    const answer = await create(me, { ...wrong, types: ['nothing'] })
    expect(answer.error.issues?.map(({ field, code }) => [field, code])).toEqual([
      ['types.0', 'webhooks.unknownType'],
      ['accountIds.1', 'webhooks.unknownAccount'],
      ['ignoreTokenIds.0', 'webhooks.unknownToken'],
    ])
    const { id } = (await create(me)).body
    const same = await call(updateWebhook, { as: me, id, json: wrong })
    expect(refusal(same)).toEqual([400, 'webhooks.unknownAccount', 'accountIds.1'])
    const unknown = await call(updateWebhook, {
      ...{ as: me, id },
      json: { ignoreTokenIds: [someId('tok')] },
    })
    expect(refusal(unknown)).toEqual([400, 'webhooks.unknownToken', 'ignoreTokenIds.0'])
  })

  it('is a second new secret within a day', async () => {
    const me = await newUser()
    const { id, secret } = (await create(me)).body
    const json = { newSecret: true }
    const rotated = await ok(updateWebhook, { as: me, id, json })
    expect(rotated.secret).toMatch(/^whsec_/)
    expect(rotated.secret).not.toBe(secret)
    expect(refusal(await call(updateWebhook, { as: me, id, json }))).toEqual([
      ...[409, 'webhooks.rotating', 'newSecret'],
    ])
    // The session has ended by then; a token has not.
    const token = await giveToken(me, ['webhooks.write'])
    const later = await serviceWith({ ahead: DAY + 1000 }).call<typeof rotated>(updateWebhook, {
      ...{ as: token, id, json },
    })
    expect([later.status, later.body.secret]).toEqual([200, expect.stringMatching(/^whsec_/)])
  })
})

describe('a token that is restricted to some accounts', () => {
  it('must name them, and sees only webhooks that do', async () => {
    const me = await newUser()
    const [one, two] = [await newAccount(me), await newAccount(me)]
    const wide = (await create(me)).body
    const other = (await create(me, { accountIds: [one.id, two.id] })).body
    const token = await giveToken(me, ['webhooks.write', 'webhooks.read'], [one.id])
    const refused = [403, 'webhooks.tokenIsRestricted', 'accountIds']
    expect(refusal(await create(token))).toEqual(refused)
    expect(refusal(await create(token, { accountIds: [two.id] }))).toEqual([
      ...[400, 'webhooks.unknownAccount', 'accountIds.0'],
    ])
    const { id } = (await create(token, { accountIds: [one.id] })).body
    const json = { accountIds: null }
    expect(refusal(await call(updateWebhook, { as: token, id, json }))).toEqual(refused)
    expect((await ok(listWebhooks, { as: token })).webhooks.map((each) => each.id)).toEqual([id])
    for (const hidden of [wide, other]) {
      expect(refusal(await call(getWebhook, { as: token, id: hidden.id }))).toEqual([
        ...[404, 'webhooks.notFound'],
      ])
    }
    await ok(deleteAccessToken, { as: me, id: token.id })
    expect((await ok(getWebhook, { as: me, id })).state).toBe('active')
  })
})

describe('the address of a webhook', () => {
  /** Beside one whose address is allowed, one that is called by mistake only. */
  let [allowed, inner]: Receiver[] = []
  beforeAll(async () => {
    ;[allowed, inner] = [await openReceiver(), await openReceiver()]
  })
  afterAll(() => [allowed, inner].forEach((one) => one?.close()))

  it('leads to no listener of the inner network, in whatever form it is written', async () => {
    const me = await newUser()
    const { id } = (await create(me)).body
    const port = inner?.host.split(':')[1]
    const urlsOf = (host: string) => ({
      created: `http://${host}:${port}/`,
      changed: `https://${host}:${port}/`,
      called: `https://${host}/`,
    })
    expect(INNER_HOSTS.length).toBeGreaterThan(60)
    const ask: Receiver['call'] = (route, options) =>
      allowed?.call(route, options) ?? expect.fail('there is no service')
    const refused = [400, 'outbound.refusedAddress', 'url']
    for (const host of [...INNER_HOSTS, `a:b@${allowed?.host}`]) {
      const { created, changed, called } = urlsOf(host)
      const json = { url: created, types: ['*'] }
      expect(refusal(await ask(createWebhook, { as: me, json })), host).toEqual(refused)
      const update = { as: me, id, json: { url: changed } }
      expect(refusal(await ask(updateWebhook, update)), host).toEqual(refused)
      // Stored when more was allowed, it is not called any more.
      await rows('UPDATE webhooks SET url = ? WHERE id = ?', called, id)
      // So many tests are not for one minute.
      await rows('DELETE FROM rate_limits')
      expect((await ask(testWebhook, { as: me, id })).body, host).toMatchObject({
        ...{ status: null, reason: 'refusedAddress' },
      })
    }
    expect(inner?.connections()).toBe(0)
  })

  it('that answers with a redirect leads no further', async () => {
    const me = await newUser()
    const { id } = await newHook(allowed ?? expect.fail(), me)
    allowed?.answerStatus(302, { Location: inner?.url ?? '' })
    expect((await allowed?.call(testWebhook, { as: me, id }))?.body).toMatchObject({
      ...{ status: 302, reason: 'redirect' },
    })
    expect(inner?.connections()).toBe(0)
  })
})

describe('secrets of webhooks', () => {
  it('are sealed anew under the newest key, both of them', async () => {
    const me = await newUser()
    const { id } = (await create(me)).body
    await ok(updateWebhook, { as: me, id, json: { newSecret: true } })
    const stored = () =>
      rows<object>('SELECT secret, previous_secret FROM webhooks WHERE id = ?', id)
    const before = await stored()
    const ctx = contextWith()
    const [key] = ctx.settings.encryptionKeys
    const newest = { id: 'k0newest', bytes: new Uint8Array(32).fill(7) }
    const settings = { ...ctx.settings, encryptionKeys: [newest, ...(key ? [key] : [])] }
    await resealAll(contextWith({ settings }), [
      WEBHOOK_SECRETS,
      { ...WEBHOOK_SECRETS, column: 'previous_secret' },
    ])
    const [after] = await stored()
    expect(Object.values(after ?? {})).toEqual([
      ...[expect.stringMatching(/^v1\.k0newest\./), expect.stringMatching(/^v1\.k0newest\./)],
    ])
    await rows('DELETE FROM webhooks WHERE id = ?', id)
    expect(before).not.toEqual([after])
  })
})

it('is sent nothing, and has no deliveries, while it is not active', async () => {
  const receiver = await openReceiver()
  const me = await newUser()
  const { id } = await newHook(receiver, me, { active: false })
  await newAccount(me)
  await receiver.settle()
  expect([receiver.received, await deliveriesOf(me, id)]).toEqual([[], []])
  receiver.close()
})
