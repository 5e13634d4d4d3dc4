import { expect, it } from 'vitest'
import type { z } from '@hono/zod-openapi'
import {
  getMe,
  logout,
  refreshToken as refreshTokenRoute,
} from '../../../src/areas/identity/auth/auth.routes.ts'
import type { TokenResponse } from '../../../src/areas/identity/auth/auth.contract.ts'
import { coreOf } from '../../../src/domain/ids.ts'
import { sha256Text } from '../../../src/platform/secrets/crypto.ts'
import { newOwnedToken } from '../../../src/platform/secrets/owned-tokens.ts'
import { call, ok, rows } from '../../support/api.ts'
import { contextWith, serviceWith } from '../../support/service.ts'
import { newUser, type TestUser } from '../../support/world.ts'
import { base64Url } from './tokens.ts'
import { someBytes } from '../../support/of-file.ts'

type Tokens = z.infer<typeof TokenResponse>

const DAY = 24 * 60 * 60 * 1000

const use = (refreshToken: string, headers: Record<string, string> = {}) =>
  call(refreshTokenRoute, { json: { refreshToken }, headers })

const liveTokens = ({ id }: TestUser) =>
  rows(
    `SELECT t.token_hash FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id
      WHERE s.user_id = ? AND s.revoked_at IS NULL AND t.spent_at IS NULL`,
    id,
  )

it('gives new tokens for the same session', async () => {
  const me = await newUser()
  const { body } = await use(me.refreshToken)
  expect(body.refreshToken).not.toBe(me.refreshToken)
  expect(body.user.id).toBe(me.id)
  expect(body).toMatchObject({ expiresIn: 900, refreshExpiresIn: 30 * 24 * 60 * 60 })
  expect((await call(getMe, { as: body })).status).toBe(200)
  expect((await call(getMe, { as: me })).status).toBe(200)
  expect(await rows('SELECT id FROM sessions WHERE user_id = ?', me.id)).toHaveLength(1)
  expect((await use(body.refreshToken)).status).toBe(200)
})

it('names its user, before 256 random bits', async () => {
  const me = await newUser()
  let { refreshToken } = me
  const tokens: string[] = []
  for (let at = 0; at < 20; at++) {
    ;({ refreshToken } = await ok(refreshTokenRoute, { json: { refreshToken } }))
    expect(refreshToken.slice(0, 31)).toBe(`rft_${coreOf(me.id)}_`)
    expect(refreshToken.slice(31)).toMatch(/^[\w-]{43}$/)
    tokens.push(refreshToken)
  }
  expect(new Set(tokens).size).toBe(20)
})

/** Stores a further token of the user's session, as the service would. */
async function storeToken({ id }: TestUser, token: string) {
  await rows(
    `INSERT INTO refresh_tokens (token_hash, session_id, issued_at)
      SELECT ?, id, 0 FROM sessions WHERE user_id = ?`,
    sha256Text(token),
    id,
  )
  return token
}

const withoutName = () => `rft_${base64Url(someBytes(32))}`

it('is not taken unless it names its user', async () => {
  const me = await newUser()
  expect((await use(await storeToken(me, withoutName()))).status).toBe(401)
})

it('is taken for the user alone whom it names', async () => {
  const [me, other] = [await newUser(), await newUser()]
  const misnamed = newOwnedToken(contextWith(), 'rft', other.id).text
  expect((await use(await storeToken(me, misnamed))).status).toBe(401)
  const named = newOwnedToken(contextWith(), 'rft', me.id).text
  expect((await use(await storeToken(me, named))).status).toBe(200)
})

it('ends the whole session when a spent token comes again', async () => {
  const me = await newUser()
  const next = await ok(refreshTokenRoute, { json: { refreshToken: me.refreshToken } })
  expect((await call(getMe, { as: next })).status).toBe(200)
  const reused = await use(me.refreshToken)
  expect([reused.status, reused.error.code]).toEqual([401, 'auth.invalidRefreshToken'])
  for (const holder of [me, next]) {
    expect((await call(getMe, { as: holder })).status).toBe(401)
    expect((await use(holder.refreshToken)).status).toBe(401)
  }
  expect(await liveTokens(me)).toEqual([])
})

it('ends only the session that the spent token belongs to', async () => {
  const [me, other] = await Promise.all([newUser(), newUser()])
  await use(me.refreshToken)
  await use(me.refreshToken)
  expect((await call(getMe, { as: other })).status).toBe(200)
  expect((await use(other.refreshToken)).status).toBe(200)
})

it('ends the session when somebody else uses the token between looking and swapping', async () => {
  const me = await newUser()
  const first: { status?: number } = {}
  const slow = serviceWith({
    meanwhile: async () => {
      first.status ??= (await use(me.refreshToken)).status
    },
  })
  const json = { refreshToken: me.refreshToken }
  const second = await slow.call<unknown>(refreshTokenRoute, { json })
  expect([first.status, second.status, second.error.code]).toEqual([
    200,
    401,
    'auth.invalidRefreshToken',
  ])
  expect(await liveTokens(me)).toEqual([])
  expect((await call(getMe, { as: me })).status).toBe(401)
})

it('swaps nothing for a session that ends between looking and swapping', async () => {
  const me = await newUser()
  const service = serviceWith({ meanwhile: () => call(logout, { as: me }) })
  const json = { refreshToken: me.refreshToken }
  expect((await service.call(refreshTokenRoute, { json })).status).toBe(401)
  expect(await liveTokens(me)).toEqual([])
})

it('ends the session for a spent token under any Idempotency-Key but its own', async () => {
  const me = await newUser()
  await use(me.refreshToken, { 'Idempotency-Key': crypto.randomUUID() })
  const reused = await use(me.refreshToken, { 'Idempotency-Key': crypto.randomUUID() })
  expect([reused.status, reused.error.code]).toEqual([401, 'auth.invalidRefreshToken'])
  expect((await call(getMe, { as: me })).status).toBe(401)
})

it('answers a repeated request with the same tokens, and ends nothing', async () => {
  const me = await newUser()
  const headers = { 'Idempotency-Key': crypto.randomUUID() }
  const first = await use(me.refreshToken, headers)
  const answers = await Promise.all(Array.from({ length: 10 }, () => use(me.refreshToken, headers)))
  for (const again of answers) {
    expect([again.status, again.text]).toEqual([200, first.text])
    expect(again.headers.get('Idempotency-Replayed')).toBe('true')
  }
  expect((await use(first.body.refreshToken)).status).toBe(200)
})

it('answers parallel repetitions of one request alike', async () => {
  const me = await newUser()
  const headers = { 'Idempotency-Key': crypto.randomUUID() }
  const answers = await Promise.all(Array.from({ length: 20 }, () => use(me.refreshToken, headers)))
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(await liveTokens(me)).toHaveLength(1)
  expect((await call(getMe, { as: answers[0]?.body })).status).toBe(200)
})

it.each([
  ['is missing', {}],
  ['is empty', { refreshToken: '' }],
  ['is long', { refreshToken: 'x'.repeat(201) }],
  ['is a number', { refreshToken: 1 }],
  ['has company', { refreshToken: 'x', userId: 'usr_x' }],
])('refuses a request whose token %s', async (_, json) => {
  expect((await call(refreshTokenRoute, { raw: { body: JSON.stringify(json) } })).status).toBe(400)
})

it('refuses tokens that are no refresh tokens', async () => {
  const { accessToken, refreshToken, password } = await newUser()
  const [stored] = await rows<{ token_hash: string }>('SELECT token_hash FROM refresh_tokens')
  const wrong = [
    accessToken.slice(0, 200),
    password,
    stored?.token_hash ?? '',
    refreshToken.slice(4),
    ` ${refreshToken}`,
    refreshToken.toUpperCase(),
    "' OR 1=1--",
  ]
  for (const token of wrong) {
    const { status, error } = await use(token)
    expect([status, error.code]).toEqual([401, 'auth.invalidRefreshToken'])
  }
  expect((await use(refreshToken)).status).toBe(200)
})

it('says the same of a token that is unknown, spent, revoked or expired', async () => {
  const [spent, revoked, expired] = await Promise.all([newUser(), newUser(), newUser()])
  await use(spent.refreshToken)
  await ok(logout, { as: revoked })
  await rows('UPDATE sessions SET idle_expires_at = 1 WHERE user_id = ?', expired.id)
  const tokens = ['rft_unknown', spent.refreshToken, revoked.refreshToken, expired.refreshToken]
  for (const token of tokens) {
    const { status, error, headers } = await use(token)
    expect({ status, ...error, requestId: '' }).toEqual({
      status: 401,
      error: 'This refresh token is not valid. Sign in again.',
      code: 'auth.invalidRefreshToken',
      requestId: '',
    })
    expect(headers.get('WWW-Authenticate')).toBe('Bearer')
  }
})

it('refuses a disabled user', async () => {
  const me = await newUser()
  await rows("UPDATE users SET status = 'disabled' WHERE id = ?", me.id)
  expect((await use(me.refreshToken)).status).toBe(401)
  await rows("UPDATE users SET status = 'active' WHERE id = ?", me.id)
  expect((await use(me.refreshToken)).status).toBe(200)
})

const at = (days: number, refreshToken: string) =>
  serviceWith({ ahead: days * DAY }).call<Tokens>(refreshTokenRoute, { json: { refreshToken } })

it('dies after thirty days without use', async () => {
  const [idle, active] = await Promise.all([newUser(), newUser()])
  expect((await at(30, idle.refreshToken)).status).toBe(401)
  expect((await at(29.9, active.refreshToken)).status).toBe(200)
})

it('lives on with use, up to ninety days', async () => {
  const me = await newUser()
  let { refreshToken, accessToken } = me as Pick<Tokens, 'refreshToken' | 'accessToken'>
  for (const day of [29, 58, 87]) {
    const { status, body } = await at(day, refreshToken)
    expect(status).toBe(200)
    ;({ refreshToken, accessToken } = body)
    const then = serviceWith({ ahead: day * DAY })
    expect((await then.call(getMe, { as: { accessToken } })).status).toBe(200)
  }
  expect((await at(90, refreshToken)).status).toBe(401)
})

it('stores tokens hashed only', async () => {
  const me = await newUser()
  const next = await ok(refreshTokenRoute, { json: { refreshToken: me.refreshToken } })
  const stored = JSON.stringify([
    await rows('SELECT * FROM refresh_tokens'),
    await rows('SELECT * FROM sessions WHERE user_id = ?', me.id),
    await rows('SELECT * FROM log_entries WHERE actor_id = ?', me.id),
  ])
  for (const secret of [me.refreshToken, next.refreshToken, me.accessToken, next.accessToken]) {
    expect(stored).not.toContain(secret)
    expect(stored).not.toContain(secret.replace(/^rft_\w{26}_/, ''))
  }
})
