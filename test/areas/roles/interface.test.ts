import { describe, expect, it } from 'vitest'
import {
  createRole,
  deleteRole,
  getRole,
  listPermissions,
  listRoles,
  updateRole,
} from '../../../src/areas/identity/roles/roles.routes.ts'
import { PERMISSION_KEYS } from '../../../src/domain/permissions.ts'
import { call } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'
import { failingService, refusal } from '../../support/interface.ts'
import { newAdmin, newUser } from '../../support/world.ts'
import { giveRole, newName, newRole } from './holders.ts'

const MALFORMED = /^400 request\.(invalid|malformedJson)$/

const wanted = () => ({ name: newName(), permissions: ['accounts.read' as const] })

describe('interface 4.5, GET /admin/permissions, listPermissions', () => {
  it('200, ListPermissionsResponse: the permissions of the system with their metadata', async () => {
    const { status, body } = await call(listPermissions, { as: await newAdmin() })
    expect(status).toBe(200)
    expect(body.permissions.map(({ key }) => key)).toEqual(PERMISSION_KEYS)
    expect(Object.keys(body.permissions[0] ?? {})).toEqual(
      expect.arrayContaining(['key', 'description', 'area', 'adminOnly']),
    )
  })

  it('401 without a token', async () =>
    expect(refusal(await call(listPermissions))).toBe('401 auth.required'))

  it('403 for who is no administrator', async () =>
    expect(refusal(await call(listPermissions, { as: await newUser() }))).toBe(
      '403 auth.forbidden',
    ))
})

describe('interface 4.5, GET /admin/roles, listRoles', () => {
  it('200, ListRolesResponse', async () => {
    const role = await newRole()
    const { status, body } = await call(listRoles, { as: await newAdmin() })
    expect(status).toBe(200)
    expect(body.roles.find(({ id }) => id === role.id)).toEqual(role)
  })

  it('401 without a token', async () =>
    expect(refusal(await call(listRoles))).toBe('401 auth.required'))

  it('403 for who is no administrator', async () =>
    expect(refusal(await call(listRoles, { as: await newUser() }))).toBe('403 auth.forbidden'))

  it('500 when the service fails', async () =>
    expect(refusal(await failingService().call(listRoles, { as: await newAdmin() }))).toBe(
      '500 service.failed',
    ))
})

describe('interface 4.5, POST /admin/roles, createRole', () => {
  it('201, RoleResponse: a new role with the specified permissions', async () => {
    const json = { ...wanted(), description: 'Reads' }
    const { status, body } = await call(createRole, { as: await newAdmin(), json })
    expect([status, body]).toMatchObject([201, { ...json, system: false }])
  })

  it('400 for a body that is no CreateRoleRequest, and for none', async () => {
    const as = await newAdmin()
    for (const body of ['{}', '', '{"name":"x","permissions":["no.such"]}']) {
      expect(refusal(await call(createRole, { as, raw: { body } }))).toMatch(MALFORMED)
    }
  })

  it('401 without a token', async () =>
    expect(refusal(await call(createRole, { json: wanted() }))).toBe('401 auth.required'))

  it('403 for who is no administrator', async () =>
    expect(refusal(await call(createRole, { as: await newUser(), json: wanted() }))).toBe(
      '403 auth.forbidden',
    ))

  it('409 when the role already exists', async () => {
    const [as, json] = [await newAdmin(), wanted()]
    expect((await call(createRole, { as, json })).status).toBe(201)
    const again = { ...json, name: ` ${json.name.toUpperCase()}` }
    expect(refusal(await call(createRole, { as, json: again }))).toBe('409 roles.nameTaken')
  })

  it('500 when the service fails', async () => {
    const as = await newAdmin()
    expect(refusal(await failingService().call(createRole, { as, json: wanted() }))).toBe(
      '500 service.failed',
    )
  })
})

describe('interface 4.5, GET /admin/roles/{id}, getRole', () => {
  it('200, RoleResponse', async () => {
    const role = await newRole(['accounts.read'])
    const { status, body } = await call(getRole, { as: await newAdmin(), id: role.id })
    expect([status, body]).toEqual([200, role])
  })

  it('401 without a token', async () =>
    expect(refusal(await call(getRole, { id: 'rol_admin' }))).toBe('401 auth.required'))

  it('403 for who is no administrator', async () =>
    expect(refusal(await call(getRole, { as: await newUser(), id: 'rol_admin' }))).toBe(
      '403 auth.forbidden',
    ))

  it('404 for a role that there is not', async () =>
    expect(refusal(await call(getRole, { as: await newAdmin(), id: someId('rol') }))).toBe(
      '404 roles.notFound',
    ))

  it('500 when the service fails', async () => {
    const [as, id] = [await newAdmin(), 'rol_admin']
    expect(refusal(await failingService().call(getRole, { as, id }))).toBe('500 service.failed')
  })
})

describe('interface 4.5, PUT /admin/roles/{id}, updateRole', () => {
  it('200, RoleResponse: updates name, description and permissions', async () => {
    const [as, { id }] = [await newAdmin(), await newRole()]
    const json = { ...wanted(), description: 'Another' }
    const { status, body } = await call(updateRole, { as, id, json })
    expect([status, body]).toMatchObject([200, { id, ...json, version: 2 }])
    expect((await call(getRole, { as, id })).body).toEqual(body)
  })

  it('400 for a body that is no UpdateRoleRequest', async () => {
    const [as, { id }] = [await newAdmin(), await newRole()]
    for (const body of ['{"name":""}', '{"permissions":["no.such"]}', '{"system":true}', '']) {
      expect(refusal(await call(updateRole, { as, id, raw: { body } }))).toMatch(MALFORMED)
    }
  })

  it('400 for a system role, which nobody changes', async () => {
    const [as, json] = [await newAdmin(), wanted()]
    expect(refusal(await call(updateRole, { as, id: 'rol_user', json }))).toBe(
      '400 roles.systemRole',
    )
  })

  it('401 without a token', async () =>
    expect(refusal(await call(updateRole, { id: 'rol_admin', json: wanted() }))).toBe(
      '401 auth.required',
    ))

  it('403 for who is no administrator', async () => {
    const [as, { id }] = [await newUser(), await newRole()]
    expect(refusal(await call(updateRole, { as, id, json: wanted() }))).toBe('403 auth.forbidden')
  })

  it('404 for a role that there is not', async () => {
    const as = await newAdmin()
    expect(refusal(await call(updateRole, { as, id: someId('rol'), json: wanted() }))).toBe(
      '404 roles.notFound',
    )
  })

  it('409 when the role name already exists', async () => {
    const [as, one, other] = [await newAdmin(), await newRole(), await newRole()]
    const json = { name: other.name }
    expect(refusal(await call(updateRole, { as, id: one.id, json }))).toBe('409 roles.nameTaken')
  })

  it('500 when the service fails', async () => {
    const [as, { id }] = [await newAdmin(), await newRole()]
    expect(refusal(await failingService().call(updateRole, { as, id, json: wanted() }))).toBe(
      '500 service.failed',
    )
  })
})

describe('interface 4.5, DELETE /admin/roles/{id}, deleteRole', () => {
  it('200, MessageResponse', async () => {
    const [as, { id }] = [await newAdmin(), await newRole()]
    const { status, body } = await call(deleteRole, { as, id })
    expect([status, body]).toEqual([200, { message: expect.any(String) }])
    expect(refusal(await call(getRole, { as, id }))).toBe('404 roles.notFound')
  })

  it.each(['rol_admin', 'rol_user'])('400 (system role cannot be deleted): %s', async (id) =>
    expect(refusal(await call(deleteRole, { as: await newAdmin(), id }))).toBe(
      '400 roles.systemRole',
    ),
  )

  it('401 without a token', async () =>
    expect(refusal(await call(deleteRole, { id: 'rol_x' }))).toBe('401 auth.required'))

  it('403 for who is no administrator', async () => {
    const [as, { id }] = [await newUser(), await newRole()]
    expect(refusal(await call(deleteRole, { as, id }))).toBe('403 auth.forbidden')
  })

  it('404 for a role that there is not', async () =>
    expect(refusal(await call(deleteRole, { as: await newAdmin(), id: someId('rol') }))).toBe(
      '404 roles.notFound',
    ))

  it('409, beyond the interface, for a role that somebody has', async () => {
    const [as, user, { id }] = [await newAdmin(), await newUser(), await newRole()]
    await giveRole(user.id, id)
    expect(refusal(await call(deleteRole, { as, id }))).toBe('409 roles.inUse')
  })

  it('500 when the service fails', async () => {
    const [as, { id }] = [await newAdmin(), await newRole()]
    expect(refusal(await failingService().call(deleteRole, { as, id }))).toBe('500 service.failed')
  })
})
