import { describe, expect, it } from 'vitest'
import {
  createIdentityProvider,
  deleteIdentityProvider,
  getIdentityProvider,
  listIdentityProviders,
  updateIdentityProvider,
} from '../../../src/areas/identity/identity-providers/identity-providers.routes.ts'
import { deleteRole, updateRole } from '../../../src/areas/identity/roles/roles.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAdmin, newUser } from '../../support/world.ts'
import { giveRole, newHolder, newRole } from '../roles/holders.ts'
import { logOf, newProvider, wanted } from './providers.ts'

const all = [
  listIdentityProviders,
  createIdentityProvider,
  getIdentityProvider,
  updateIdentityProvider,
  deleteIdentityProvider,
] as const
const withBody = [createIdentityProvider, updateIdentityProvider] as const

const bodyOf = (route: (typeof all)[number]) =>
  withBody.some((one) => one === route) && { raw: { body: JSON.stringify(wanted()) } }

describe('who may', () => {
  it.each(all)('asks an anonymous caller to sign in: $operationId', async (route) => {
    const { id } = await newProvider()
    const { status, error } = await call(route, { id, ...bodyOf(route) })
    expect([status, error.code]).toEqual([401, 'auth.required'])
    expect(await logOf(id)).toHaveLength(1)
  })

  it.each(all)('refuses a user who is no administrator: $operationId', async (route) => {
    const { id } = await newProvider()
    const { status, error } = await call(route, { as: await newUser(), id, ...bodyOf(route) })
    expect([status, error.code]).toEqual([403, 'auth.forbidden'])
    expect(await logOf(id)).toHaveLength(1)
  })

  it('opens to a role exactly what its permission names', async () => {
    const reader = await newHolder(['identityProviders.read'])
    const writer = await newHolder(['identityProviders.write'])
    const { id } = await newProvider()
    expect((await call(listIdentityProviders, { as: reader })).status).toBe(200)
    expect((await call(getIdentityProvider, { as: reader, id })).status).toBe(200)
    expect((await call(deleteIdentityProvider, { as: reader, id })).status).toBe(403)
    expect((await call(listIdentityProviders, { as: writer })).status).toBe(403)
    expect((await call(deleteIdentityProvider, { as: writer, id })).status).toBe(204)
  })
})

describe('the role of users that a provider brings', () => {
  it('must exist', async () => {
    const admin = await newAdmin()
    const json = wanted()
    const { id } = await newProvider(json)
    const sent = { ...json, defaultRoleId: 'rol_nobody' }
    for (const { status, error } of [
      await call(createIdentityProvider, {
        as: admin,
        json: { ...wanted(), defaultRoleId: 'rol_nobody' },
      }),
      await call(updateIdentityProvider, { as: admin, id, json: sent }),
    ]) {
      expect([status, error.code, error.field]).toEqual([
        400,
        'identityProviders.unknownRole',
        'defaultRoleId',
      ])
    }
  })

  it('permits nothing that the caller may not do', async () => {
    const writer = await newHolder(['identityProviders.write'])
    const reading = await newRole(['roles.read'])
    const own = await ok(createIdentityProvider, {
      as: writer,
      json: wanted({ defaultRoleId: writer.roleId }),
    })
    expect(own.defaultRoleId).toBe(writer.roleId)
    for (const defaultRoleId of ['rol_admin', reading.id]) {
      const json = wanted({ defaultRoleId })
      for (const { status, error } of [
        await call(createIdentityProvider, { as: writer, json }),
        await call(updateIdentityProvider, { as: writer, id: own.id, json }),
      ]) {
        expect([status, error.code, error.field]).toEqual([
          403,
          'identityProviders.permissionNotHeld',
          'defaultRoleId',
        ])
      }
    }
  })

  it('keeps those who hold less from pointing its provider elsewhere', async () => {
    const writer = await newHolder(['identityProviders.write'])
    const json = wanted({ defaultRoleId: 'rol_admin' })
    const { id } = await newProvider(json)
    const { defaultRoleId: _, ...rest } = json
    const evil = { ...rest, issuer: 'https://evil.example' }
    const refused = await call(updateIdentityProvider, { as: writer, id, json: evil })
    expect([refused.status, refused.error.code]).toEqual([
      403,
      'identityProviders.permissionNotHeld',
    ])
    const without = { ...evil, defaultRoleId: null }
    expect((await call(updateIdentityProvider, { as: writer, id, json: without })).status).toBe(200)
  })

  it('cannot gain permissions between reading and writing', async () => {
    const writer = await newHolder(['identityProviders.write'])
    const role = await newRole([])
    const admin = await newAdmin()
    const service = serviceWith({
      meanwhile: () =>
        ok(updateRole, { as: admin, id: role.id, json: { permissions: ['roles.read'] } }),
    })
    const json = wanted({ defaultRoleId: role.id })
    const { status, error } = await service.call(createIdentityProvider, { as: writer, json })
    expect([status, error.code]).toEqual([409, 'identityProviders.roleChanged'])
  })

  it('cannot be granted by who loses the permission between reading and writing', async () => {
    const writer = await newHolder(['identityProviders.write'])
    const lent = await newRole(['roles.read'])
    await giveRole(writer.id, lent.id)
    const service = serviceWith({
      meanwhile: () => rows('DELETE FROM user_roles WHERE role_id = ?', lent.id),
    })
    const json = wanted({ defaultRoleId: lent.id })
    const { status, error } = await service.call(createIdentityProvider, { as: writer, json })
    expect([status, error.code]).toEqual([403, 'identityProviders.permissionNotHeld'])
  })

  it('cannot be deleted while a provider gives it', async () => {
    const role = await newRole([])
    await newProvider({ defaultRoleId: role.id })
    const { status, error } = await call(deleteRole, { as: await newAdmin(), id: role.id })
    expect([status, error.code]).toEqual([409, 'roles.inUse'])
  })
})
