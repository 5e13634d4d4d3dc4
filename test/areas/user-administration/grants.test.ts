import { describe, expect, it } from 'vitest'
import { getMe } from '../../../src/areas/identity/auth/auth.routes.ts'
import { deleteRole, listRoles } from '../../../src/areas/identity/roles/roles.routes.ts'
import {
  createUser,
  getUser,
  listRoleUsers,
  setUserRoles,
} from '../../../src/areas/identity/user-administration/user-administration.routes.ts'
import { call, ok } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'
import { serviceWith } from '../../support/service.ts'
import { newAdmin, newUser } from '../../support/world.ts'
import { giveRole, newRole } from '../roles/holders.ts'
import { freshEmail, logOf, statusOf } from './people.ts'

describe('setting roles', () => {
  it('sets the whole set, which counts from the next request', async () => {
    const as = await newAdmin()
    const user = await newUser()
    const role = await newRole(['roles.read'], as)
    expect((await call(listRoles, { as: user })).status).toBe(403)
    const json = { roleIds: [role.id, 'rol_user', role.id] }
    const given = await call(setUserRoles, { as, id: user.id, json })
    expect(given.headers.get('Server-Timing')).toContain('2 trips')
    expect(given.body).toMatchObject({
      roles: [
        { id: 'rol_user', name: 'user' },
        { id: role.id, name: role.name },
      ],
      version: 2,
    })
    expect(await ok(getUser, { as, id: user.id })).toEqual(given.body)
    expect((await call(listRoles, { as: user })).status).toBe(200)
    await ok(setUserRoles, { as, id: user.id, json: { roleIds: ['rol_user'] } })
    expect((await call(listRoles, { as: user })).status).toBe(403)
    expect(await statusOf(user)).toBe(200)
    expect((await logOf(user.id)).map(({ content }) => JSON.parse(content ?? ''))).toEqual([
      { before: { roleIds: ['rol_user'] }, after: { roleIds: ['rol_user', role.id] } },
      { before: { roleIds: ['rol_user', role.id] }, after: { roleIds: ['rol_user'] } },
    ])
  })

  it('may take the system role `user` away, too', async () => {
    const as = await newAdmin()
    const user = await newUser()
    const bare = await ok(setUserRoles, { as, id: user.id, json: { roleIds: [] } })
    expect(bare.roles).toEqual([])
    expect(await statusOf(user)).toBe(403)
    await ok(setUserRoles, { as, id: user.id, json: { roleIds: ['rol_user'] } })
    expect(await statusOf(user)).toBe(200)
  })

  it('makes an administrator, and no administrator again', async () => {
    const as = await newAdmin()
    const user = await newUser()
    await ok(setUserRoles, { as, id: user.id, json: { roleIds: ['rol_admin'] } })
    expect((await ok(getMe, { as: user })).permissions).toContain('users.write')
    await ok(setUserRoles, { as: user, id: as.id, json: { roleIds: ['rol_user'] } })
    expect((await call(getUser, { as, id: user.id })).status).toBe(403)
  })

  it.each([
    ['a role that does not exist', { roleIds: ['rol_user', 'rol_x'] }, 'roleIds.1'],
    ['no roles', {}, 'roleIds'],
    ['something that is no id', { roleIds: [''] }, 'roleIds.0'],
    ['more than it takes', { roleIds: [], name: 'x' }, 'name'],
  ])('refuses %s', async (_, json, field) => {
    const user = await newUser()
    const raw = { body: JSON.stringify(json) }
    const { status, error } = await call(setUserRoles, { as: await newAdmin(), id: user.id, raw })
    expect([status, error.field]).toEqual([400, field])
    expect(await statusOf(user)).toBe(200)
  })

  it('refuses a role that is deleted meanwhile', async () => {
    const as = await newAdmin()
    const { id } = await newUser()
    for (const [route, more] of [
      [setUserRoles, {}],
      [createUser, { email: freshEmail(), name: 'Newcomer' }],
    ] as const) {
      const role = await newRole([], as)
      const service = serviceWith({ meanwhile: () => ok(deleteRole, { as, id: role.id }) })
      const json = { roleIds: [role.id], ...more }
      const { status, error } = await service.call(route, { as, id, json })
      expect([status, error]).toMatchObject([400, { code: 'users.unknownRole', field: 'roleIds' }])
    }
  })

  it('refuses a version that is not the latest; of many at once one wins', async () => {
    const as = await newAdmin()
    const { id } = await newUser()
    const json = { roleIds: ['rol_user'] }
    const old = await call(setUserRoles, { as, id, json, headers: { 'If-Match': '"9-x"' } })
    expect([old.status, old.error.code]).toEqual([412, 'request.stale'])
    const headers = { 'If-Match': '"1-x"' }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call(setUserRoles, { as, id, json, headers })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(19)
    expect((await ok(getUser, { as, id })).version).toBe(2)
  })

  it('is 404 for nobody', async () => {
    const json = { roleIds: [] }
    const { status, error } = await call(setUserRoles, {
      as: await newAdmin(),
      id: someId('usr'),
      json,
    })
    expect([status, error.code]).toEqual([404, 'users.notFound'])
  })
})

describe('who has a role', () => {
  it('is told in pages, newest first', async () => {
    const as = await newAdmin()
    const role = await newRole([], as)
    const made = [await newUser(), await newUser(), await newUser()]
    for (const { id } of made) {
      await giveRole(id, role.id)
    }
    const first = await ok(listRoleUsers, { as, id: role.id, query: { limit: 2 } })
    const cursor = first.nextCursor ?? ''
    const rest = await call(listRoleUsers, { as, id: role.id, query: { limit: 2, cursor } })
    expect(rest.headers.get('Server-Timing')).toContain('1 trips')
    expect([first.count, rest.body.count, rest.body.nextCursor]).toEqual([3, 3, null])
    const listed = [...first.users, ...rest.body.users]
    expect(listed.map(({ id }) => id).toSorted()).toEqual(made.map(({ id }) => id).toSorted())
    const [user] = made
    expect(listed.find(({ id }) => id === user?.id)).toEqual({
      id: user?.id,
      email: user?.email,
      name: 'Ada',
      status: 'active',
    })
    const other = await newRole([], as)
    expect((await ok(listRoleUsers, { as, id: other.id })).users).toEqual([])
    const borrowed = await call(listRoleUsers, { as, id: other.id, query: { cursor } })
    expect([borrowed.status, borrowed.error.code]).toEqual([400, 'request.invalidCursor'])
  })

  it('is 404 for a role that does not exist', async () => {
    const { status, error } = await call(listRoleUsers, { as: await newAdmin(), id: someId('rol') })
    expect([status, error.code]).toEqual([404, 'roles.notFound'])
  })
})
