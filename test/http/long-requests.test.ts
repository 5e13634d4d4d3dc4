import { describe, expect, it } from 'vitest'
import { exampleId } from '../../src/domain/ids.ts'
import { login, register, forgotPassword } from '../../src/areas/identity/auth/auth.routes.ts'
import { listUsers } from '../../src/areas/identity/user-administration/user-administration.routes.ts'
import { call } from '../support/api.ts'
import { serviceWith } from '../support/service.ts'
import { newAdmin, newUser } from '../support/world.ts'

// Whatever a client sends is never a failure of the service, however long it is.

const capitals = 'A'.repeat(16_400)

describe('what is too long', () => {
  it.each([
    ['a path', `/${capitals}`, 404],
    ['a path of many parts', `/account${'/A'.repeat(8_200)}`, 404],
    ['an id', `/account/${capitals}`, 400],
    ['an id of escapes', `/account/${'%41'.repeat(16_400)}`, 400],
    ['an id of escapes that mean nothing', `/account/${'%E9%zz'.repeat(3_000)}`, 400],
    ['a parameter of an operation without any', `/health?${capitals}`, 400],
    ['the name of a parameter', `/transaction?${capitals}=1`, 400],
    ['a cursor', `/transaction?cursor=${capitals}`, 400],
    ['a filter', `/transaction?accountId=${capitals}`, 400],
    ['a list of parameters', `/transaction?${'cursor=1&'.repeat(5_000)}`, 400],
  ])('%s is answered as a mistake, if it is one', async (_, path, status) => {
    const { accessToken } = await newUser()
    const headers = { Authorization: `Bearer ${accessToken}` }
    const { fetch } = serviceWith({})
    const response = await fetch(new Request(`http://coffer.test${path}`, { headers }))
    expect(response.status).toBe(status)
  })

  it.each([
    ['If-Match', 'PUT', `/account/${exampleId('acc')}`, 400],
    ['If-None-Match', 'GET', '/account', 200],
    ['Idempotency-Key', 'POST', '/account', 400],
    ['Authorization', 'GET', '/account', 401],
    ['Range', 'GET', '/account', 200],
    ['Content-Type', 'POST', '/account', 415],
    ['User-Agent', 'POST', '/auth/logout', 200],
    ['Origin', 'GET', '/account', 200],
  ])('a header %s is answered as a mistake, if it is one', async (name, method, path, status) => {
    const { accessToken } = await newUser()
    const headers = {
      Authorization: `Bearer ${accessToken}`,
      'Content-Type': 'application/json',
      [name]: name === 'Authorization' ? `Bearer ${capitals}` : capitals,
    }
    const body = ['POST', 'PUT'].includes(method) && path !== '/auth/logout' ? '{}' : null
    const { fetch } = serviceWith({})
    const init = { method, headers, body }
    const response = await fetch(new Request(`http://coffer.test${path}`, init))
    expect(response.status).toBe(status)
  })

  // A parser of URLs may refuse the first of them, and says that it would not.
  it.each(['A.', 'a.', 'A', 'É.', '1.'])(
    'an e-mail address of thousands of %j is none',
    async (part) => {
      const email = `ann@${part.repeat(8_200)}example`
      for (const route of [login, forgotPassword, register]) {
        const json = { email, password: 'correct horse battery staple', name: 'Ann' }
        const { status, error } = await call(route, { raw: { body: JSON.stringify(json) } })
        expect([status, error.field]).toEqual([400, 'email'])
      }
      const as = await newAdmin()
      expect((await call(listUsers, { as, query: { email } })).status).toBeLessThan(500)
    },
  )
})
