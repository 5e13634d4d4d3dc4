import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { login, register } from '../../src/areas/identity/auth/auth.routes.ts'
import { inviteAdministrator } from '../../src/areas/identity/invites/invites.usecases.ts'
import { freshToken } from '../../src/areas/identity/auth/auth.usecases.ts'
import { sealSecret } from '../../src/platform/secrets/key-ring.ts'
import { newPersonalToken } from '../../src/platform/secrets/owned-tokens.ts'
import { CLIENT_SECRETS, placeIn } from '../../src/platform/secrets/sealed-columns.ts'
import { ok, rows } from '../support/api.ts'
import {
  refuseLeaks,
  secretsByForm,
  secretsIn,
  takeLeaks,
  watchDatabase,
} from '../support/canaries.ts'
import { rounds, SEED } from '../support/rounds.ts'
import { randomFrom } from '../support/random.ts'
import { contextWith, serviceWith } from '../support/service.ts'
import { newUser, type TestUser } from '../support/world.ts'
import { turnMfaOn } from '../areas/auth/authenticator.ts'
import { file } from '../areas/attachments/filing.ts'
import { createDownloadLink } from '../../src/areas/files/attachments/attachments.routes.ts'

// The search itself runs over the whole suite (test/support/canaries.ts): here it shows that it would find
// each kind of secret, as the service really makes them, wherever it slipped out.

/** One of each, made by the service. */
const planted: Record<string, string> = {}
/** Those that the database may hold, and only it. */
const stored: Record<string, string> = {}
let me: TestUser

beforeAll(async () => {
  me = await newUser()
  const { secret, recoveryCodes } = await turnMfaOn(me)
  const { email, password } = me
  const challenge = await ok(login, { json: { email, password } })
  const [user] = await rows<{ hash: string }>(
    'SELECT password_hash AS hash FROM users WHERE id = ?',
    me.id,
  )
  const ctx = contextWith()
  Object.assign(planted, {
    password,
    'access token': me.accessToken,
    rft: me.refreshToken,
    mft: (challenge as { mfaToken: string }).mfaToken,
    'TOTP seed': secret,
    'recovery code': recoveryCodes[0],
    'invite code': await inviteAdministrator(ctx),
    emv: (await freshToken(ctx, 'emv')).text,
    emc: (await freshToken(ctx, 'emc')).text,
    pwr: (await freshToken(ctx, 'pwr')).text,
    sic: (await freshToken(ctx, 'sic')).text,
    pat: newPersonalToken(ctx, me.id).text,
    'key of the service': env.APP_SECRET,
  })
  Object.assign(stored, {
    'password hash': user?.hash ?? '',
    'sealed record': await sealSecret(ctx, placeIn(CLIENT_SECRETS, 'idp_x'), 'a client secret'),
  })
})

/** A service with a route that tells whatever it is told, in its body or a header. */
const talkative = (secret: string) =>
  serviceWith({
    routes: (app) =>
      app.get('/tell', (c) =>
        c.req.query('in') === 'header' ? c.body(null, 204, { X: secret }) : c.json({ secret }),
      ),
  })

describe('the search finds', () => {
  it('every kind by its form, and the keys of the service by heart', () => {
    for (const [kind, secret] of Object.entries({ ...planted, ...stored })) {
      expect(secretsIn(`"${secret}"`), kind).toEqual([kind])
    }
    const { keys } = JSON.parse(env.JWT_KEYS) as { keys: { d: string }[] }
    const ring = JSON.parse(env.ENCRYPTION_KEYS) as { key: string }[]
    for (const key of [env.JWT_KEYS, env.ENCRYPTION_KEYS, keys[0]?.d ?? '', ring[0]?.key ?? '']) {
      expect(secretsIn(`x${key}x`)).toEqual(['key of the service'])
    }
  })

  it('as much as if it looked for every form everywhere, whatever stands around them', async () => {
    const { pick, whole } = randomFrom(SEED)
    const { id } = await file(me)
    const { url } = await ok(createDownloadLink, { as: me, id, json: {} })
    const secrets = [...Object.values(planted), ...Object.values(stored), url]
    const others = [...'aZ2-_. "/$\u00e9', '', crypto.randomUUID(), 'v1.', 'x'.repeat(29)]
    let found = 0
    for (let round = 0; round < rounds(3_000, 300_000); round++) {
      const parts = Array.from({ length: whole(1, 5) }, () => {
        const secret = pick(secrets)
        const cut = whole(0, 9)
        return pick([secret, secret, secret.slice(cut), secret.slice(0, -cut), pick(others)])
      })
      const text = parts.flatMap((part) => [pick(others), part, pick(others)]).join('')
      const kinds = secretsByForm(text)
      found += kinds.length
      expect(
        secretsIn(text).filter((kind) => kind !== 'key of the service'),
        `seed ${SEED}: ${text}`,
      ).toEqual(kinds)
    }
    expect(found).toBeGreaterThan(1_000)
  })

  it('refresh tokens that name nobody, as they were issued once', async () => {
    expect(secretsIn((await freshToken(contextWith(), 'rft')).text)).toEqual(['rft'])
  })

  it('each of them in the body and in the headers of an answer', async () => {
    for (const [kind, secret] of Object.entries({ ...planted, ...stored })) {
      for (const part of ['body', 'header']) {
        await talkative(secret).fetch(new Request(`http://coffer.test/tell?in=${part}`))
        expect(takeLeaks(), kind).toEqual([
          `GET /tell (${part === 'body' ? 200 : 204}) holds ${kind}`,
        ])
      }
    }
  })

  it('each of them in a line of the log, but a code in the mail that brings it', async () => {
    for (const [kind, secret] of Object.entries({ ...planted, ...stored })) {
      console.log(JSON.stringify({ level: 'error', event: 'failure', cause: `no ${secret}` }))
      expect(takeLeaks(), kind).toEqual([expect.stringContaining(`holds ${kind}`)])
      const mail = { level: 'info', event: 'mail', text: `It is ${secret}` }
      console.log(JSON.stringify(mail))
      expect(takeLeaks().length, kind).toBe(['emv', 'emc', 'pwr'].includes(kind) ? 0 : 1)
    }
  })

  it('each of them in a row of a table, and nothing where it stays away', async () => {
    const values = Object.entries(planted).map(
      ([kind, secret]) => `('planted ${kind}', '"${secret}"', 0)`,
    )
    await watchDatabase(
      [`INSERT INTO settings (key, value, updated_at) VALUES ${values.join()}`],
      ["DELETE FROM settings WHERE key GLOB 'planted *'"],
    )
    const [leak = '', ...others] = takeLeaks()
    const told = leak.replace('the table settings holds ', '').split(', ')
    expect(new Set(told)).toEqual(new Set(Object.keys(planted)))
    expect(others).toEqual([])
    await watchDatabase()
    expect(takeLeaks()).toEqual([])
  })

  it('what must fail the test that has met it', () => {
    expect(refuseLeaks).not.toThrow()
    console.log(me.refreshToken)
    expect(refuseLeaks).toThrow('holds rft')
  })

  it('what a request brought, whatever it looks like', async () => {
    const password = `correct ${crypto.randomUUID()} staple`
    const json = { email: `echo-${crypto.randomUUID()}@coffer.test`, password, name: password }
    expect((await serviceWith({}).call(register, { json })).status).toBe(400)
    await serviceWith({ routes: (app) => app.get('/tell', (c) => c.text(password)) }).fetch(
      new Request('http://coffer.test/tell'),
    )
    console.log(`tried ${password}`)
    await watchDatabase(
      [`INSERT INTO settings (key, value, updated_at) VALUES ('planted', '"${password}"', 0)`],
      ["DELETE FROM settings WHERE key = 'planted'"],
    )
    expect(takeLeaks()).toEqual([
      `GET /tell (200) holds ${password}`,
      `the log holds ${password}`,
      `the table settings holds ${password}`,
    ])
  })

  it('an answer that repeats the token of its request', async () => {
    const token = `just some long token ${crypto.randomUUID()}`
    const echo = serviceWith({
      routes: (app) => app.post('/echo', async (c) => c.text(await c.req.text())),
    })
    await echo.call({ method: 'post', path: '/echo', responses: { 200: {} } }, { json: { token } })
    expect(takeLeaks()).toEqual([`POST /echo (200) holds ${token}`])
  })
})
