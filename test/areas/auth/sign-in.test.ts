import { expect, it } from 'vitest'
import {
  getMe,
  logoutUser,
  refreshTokens,
  registerUser,
} from '../../../src/areas/auth/auth.routes.ts'
import { call, ok } from '../../support/api.ts'
import { newUser } from '../../support/world.ts'
import { signIn } from './authenticator.ts'

it('signs a registered user in, and out', async () => {
  const me = await newUser({ name: 'Grace', baseCurrency: 'USD' })
  const { user } = await signIn({ email: me.email.toUpperCase(), password: me.password })
  expect(user).toMatchObject({ id: me.id, name: 'Grace', baseCurrency: 'USD' })
  expect(user.roles.map(({ name }) => name)).toEqual(['user'])
  expect(await ok(getMe, { as: me })).toEqual({ ...user, token: null })

  await ok(logoutUser, { as: me })
  const after = await call(getMe, { as: me })
  expect([after.status, after.error.code]).toEqual([401, 'auth.required'])
  const refreshed = await call(refreshTokens, { json: { refreshToken: me.refreshToken } })
  expect(refreshed.status).toBe(401)
})

it('registers an address once, however many try at the same moment', async () => {
  const email = `race-${crypto.randomUUID()}@coffer.test`
  const json = { email, password: 'fifteen characters or more', name: 'Ada' }
  const answers = await Promise.all(Array.from({ length: 20 }, () => call(registerUser, { json })))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(19)
})

it('answers a repeated registration with the same tokens', async () => {
  const json = {
    email: `again-${crypto.randomUUID()}@coffer.test`,
    password: 'fifteen characters or more',
    name: 'Ada',
  }
  const headers = { 'Idempotency-Key': crypto.randomUUID() }
  const first = await call(registerUser, { json, headers })
  const second = await call(registerUser, { json, headers })
  expect(second.body).toEqual(first.body)
  expect(second.headers.get('Idempotency-Replayed')).toBe('true')
  const other = await call(registerUser, { json: { ...json, name: 'Eve' }, headers })
  expect([other.status, other.error.code]).toEqual([409, 'auth.emailTaken'])
})
