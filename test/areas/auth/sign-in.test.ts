import { expect, it } from 'vitest'
import {
  getMe,
  logout,
  refreshToken,
  register,
} from '../../../src/areas/identity/auth/auth.routes.ts'
import { call, ok } from '../../support/api.ts'
import { newUser } from '../../support/world.ts'
import { signIn } from './authenticator.ts'

it('signs a registered user in, and out', async () => {
  const me = await newUser({ name: 'Grace', baseCurrency: 'USD' })
  const { user } = await signIn({ email: me.email.toUpperCase(), password: me.password })
  expect(user).toMatchObject({ id: me.id, name: 'Grace', baseCurrency: 'USD' })
  expect(user.roles.map(({ name }) => name)).toEqual(['user'])
  expect(await ok(getMe, { as: me })).toEqual({ ...user, token: null })

  await ok(logout, { as: me })
  const after = await call(getMe, { as: me })
  expect([after.status, after.error.code]).toEqual([401, 'auth.tokenInvalid'])
  const refreshed = await call(refreshToken, { json: { refreshToken: me.refreshToken } })
  expect(refreshed.status).toBe(401)
})

it('registers an address once, however many try at the same moment', async () => {
  const email = `race-${crypto.randomUUID()}@coffer.test`
  const json = { email, password: 'fifteen characters or more', name: 'Ada' }
  const answers = await Promise.all(Array.from({ length: 20 }, () => call(register, { json })))
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
  const first = await call(register, { json, headers })
  const second = await call(register, { json, headers })
  expect(second.body).toEqual(first.body)
  expect(second.headers.get('Idempotency-Replayed')).toBe('true')
  const other = await call(register, { json: { ...json, name: 'Eve' }, headers })
  expect([other.status, other.error.code]).toEqual([409, 'auth.emailTaken'])
})
