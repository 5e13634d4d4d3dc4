import { describe, expect, it } from 'vitest'
import {
  createIdentityProvider,
  deleteIdentityProvider,
  listIdentityProviders,
  updateIdentityProvider,
} from '../../../src/areas/identity/identity-providers/identity-providers.routes.ts'
import { type Answer, call } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'
import { newAdmin } from '../../support/world.ts'
import { newProvider, SECRET, wanted } from './providers.ts'

/** An error of this area: an object whose values are texts. */
function expectError({ status, error }: Answer<unknown>, expected: number) {
  expect(status).toBe(expected)
  expect(new Set(Object.values(error).map((value) => typeof value))).toEqual(new Set(['string']))
}

describe('interface 4.4, identity providers', () => {
  it('GET /admin/identity-providers, listIdentityProviders: 200, an array with masked secrets', async () => {
    const { id } = await newProvider()
    expect(listIdentityProviders.entry.operationId).toBe('listIdentityProviders')
    const { status, body, text } = await call(listIdentityProviders, { as: await newAdmin() })
    expect([status, Array.isArray(body)]).toEqual([200, true])
    expect(body.find((one) => one.id === id)?.clientSecret).toBe('********')
    expect(text).not.toContain(SECRET)
    expectError(await call(listIdentityProviders), 401)
  })

  it('POST /admin/identity-providers, createIdentityProvider: 201, or 400, or 409', async () => {
    const as = await newAdmin()
    const json = wanted()
    expect(createIdentityProvider.entry.operationId).toBe('createIdentityProvider')
    const { status, body } = await call(createIdentityProvider, { as, json })
    expect([status, body]).toMatchObject([201, { ...json, clientSecret: '********' }])
    expectError(await call(createIdentityProvider, { as, raw: { body: '{}' } }), 400)
    expectError(await call(createIdentityProvider, { as, json }), 409)
    expectError(await call(createIdentityProvider, { json }), 401)
  })

  it('PUT /admin/identity-providers/{id}, updateIdentityProvider: 200, or 400, or 404', async () => {
    const as = await newAdmin()
    const json = wanted()
    const { id } = await newProvider(json)
    const changed = { ...json, name: `${json.name}!` }
    expect(updateIdentityProvider.entry.operationId).toBe('updateIdentityProvider')
    const { status, body } = await call(updateIdentityProvider, { as, id, json: changed })
    expect([status, body]).toMatchObject([200, { id, ...changed, clientSecret: '********' }])
    expectError(await call(updateIdentityProvider, { as, id, raw: { body: '{}' } }), 400)
    expectError(await call(updateIdentityProvider, { as, id: someId('idp'), json }), 404)
    expectError(await call(updateIdentityProvider, { id, json }), 401)
  })

  it('DELETE /admin/identity-providers/{id}, deleteIdentityProvider: 204 without a body, or 404', async () => {
    const as = await newAdmin()
    const { id } = await newProvider()
    expect(deleteIdentityProvider.entry.operationId).toBe('deleteIdentityProvider')
    expectError(await call(deleteIdentityProvider, { id }), 401)
    const { status, text } = await call(deleteIdentityProvider, { as, id })
    expect([status, text]).toEqual([204, ''])
    expectError(await call(deleteIdentityProvider, { as, id }), 404)
  })
})
