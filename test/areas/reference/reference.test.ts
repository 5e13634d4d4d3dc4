import { expect, it } from 'vitest'
import { getAPIReference } from '../../../src/areas/operations/reference/reference.routes.ts'
import { allOperations } from '../../../src/http/registry.ts'
import { call, ok } from '../../support/api.ts'
import { newAdmin, newUser } from '../../support/world.ts'

it('lists every operation of the service with what it needs, once', async () => {
  const { routes, count } = await ok(getAPIReference, { as: await newAdmin() })
  expect(count).toBe(allOperations().length)
  expect(routes).toHaveLength(count)
  expect(new Set(routes.map(({ method, path }) => `${method} ${path}`)).size).toBe(count)
  expect(routes).toContainEqual({
    method: 'GET',
    path: '/account',
    operationId: 'getUserAccounts',
    summary: 'List accounts',
    area: 'Accounts',
    public: false,
    permission: 'accounts.read',
  })
  expect(routes.find(({ path }) => path === '/health')).toMatchObject({
    public: true,
    permission: null,
  })
})

it('is for administrators', async () => {
  expect((await call(getAPIReference)).status).toBe(401)
  expect((await call(getAPIReference, { as: await newUser() })).status).toBe(403)
})
