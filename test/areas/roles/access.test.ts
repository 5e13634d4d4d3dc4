import { describe, expect, it } from 'vitest'
import type { Permission } from '../../../src/domain/permissions.ts'
import type { ErrorBody } from '../../support/api.ts'
import { getMe, logout } from '../../../src/areas/identity/auth/auth.routes.ts'
import {
  createRole,
  deleteRole,
  getRole,
  listPermissions,
  listRoles,
  updateRole,
} from '../../../src/areas/identity/roles/roles.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAdmin, newUser } from '../../support/world.ts'
import { giveRole, logOf, newHolder, newName, newRole } from './holders.ts'

const all = [listPermissions, listRoles, createRole, getRole, updateRole, deleteRole] as const
const withBody = [createRole, updateRole] as const
const malformed = { body: '{"name":' }

describe('who may', () => {
  it.each(all)('asks an anonymous caller to sign in: $operationId', async (route) => {
    const { status, error, headers } = await call(route, { id: 'rol_admin' })
    expect([status, error.code]).toEqual([401, 'auth.required'])
    expect(headers.get('WWW-Authenticate')).toBe('Bearer')
  })

  it.each(all)('refuses a user who is no administrator: $operationId', async (route) => {
    const { status, error } = await call(route, {
      as: await newUser(),
      id: 'rol_admin',
      ...(withBody.some((one) => one === route) && { raw: { body: '{"name":"x"}' } }),
    })
    expect([status, error.code]).toEqual([403, 'auth.forbidden'])
  })

  it.each(withBody)(
    'looks at nothing that an anonymous caller sends: $operationId',
    async (route) => {
      expect((await call(route, { raw: malformed })).status).toBe(401)
    },
  )

  it.each(withBody)('looks at nothing that a dead session sends: $operationId', async (route) => {
    const admin = await newAdmin()
    expect((await call(route, { as: admin, raw: malformed })).status).toBe(400)
    await ok(logout, { as: admin })
    expect((await call(route, { as: admin, raw: malformed })).status).toBe(401)
  })

  it.each(withBody)('looks at nothing sent without permission: $operationId', async (route) => {
    const user = await newUser()
    const bodies = [malformed, { body: '{}' }, { body: 'x', contentType: 'text/plain' }]
    for (const raw of bodies) {
      expect((await call(route, { as: user, raw })).status).toBe(403)
    }
  })

  it('lets a role of its own open exactly the doors that it names', async () => {
    const reader = await newHolder(['roles.read'])
    expect((await call(listRoles, { as: reader })).status).toBe(200)
    expect((await call(getRole, { as: reader, id: reader.roleId })).status).toBe(200)
    expect((await call(listPermissions, { as: reader })).status).toBe(403)
    const json = { name: newName(), permissions: [] }
    expect((await call(createRole, { as: reader, json })).status).toBe(403)
  })

  it('applies a changed role on the very next request', async () => {
    const admin = await newAdmin()
    const holder = await newHolder(['roles.read'])
    expect((await call(listRoles, { as: holder })).status).toBe(200)
    await ok(updateRole, { as: admin, id: holder.roleId, json: { permissions: [] } })
    expect((await call(listRoles, { as: holder })).status).toBe(403)
    await ok(updateRole, { as: admin, id: holder.roleId, json: { permissions: ['roles.read'] } })
    expect((await call(listRoles, { as: holder })).status).toBe(200)
    expect((await ok(getMe, { as: holder })).permissions).toContain('roles.read')
    await rows('DELETE FROM user_roles WHERE role_id = ?', holder.roleId)
    expect((await call(listRoles, { as: holder })).status).toBe(403)
  })
})

describe('nobody grants what they do not hold', () => {
  it('neither to a new role nor to one that exists', async () => {
    const keeper = await newHolder(['roles.write'])
    const role = await newRole(['roles.read'])
    const answers = await Promise.all([
      call(createRole, { as: keeper, json: { name: newName(), permissions: ['roles.read'] } }),
      call(updateRole, {
        as: keeper,
        id: role.id,
        json: { permissions: ['roles.read', 'permissions.read'] },
      }),
      call(updateRole, {
        as: keeper,
        id: keeper.roleId,
        json: { permissions: ['roles.read', 'roles.write'] },
      }),
    ])
    for (const { status, error } of answers) {
      expect([status, error.code, error.field]).toEqual([
        403,
        'roles.permissionNotHeld',
        'permissions',
      ])
    }
    expect(await logOf(role.id)).toHaveLength(1)
    expect(await logOf(keeper.roleId)).toHaveLength(1)
  })

  it('but what a role has already can stay; only who holds it takes it away', async () => {
    const keeper = await newHolder(['roles.write'])
    const { id } = await newRole(['roles.read', 'accounts.read', 'permissions.read'])
    const change = (permissions: Permission[]) =>
      call(updateRole, { as: keeper, id, json: { name: newName(), permissions } })
    const { status, error } = await change(['accounts.read', 'permissions.read'])
    expect([status, error.code, error.field]).toEqual([
      403,
      'roles.permissionNotHeld',
      'permissions',
    ])
    const kept = await change(['roles.read', 'permissions.read', 'accounts.write'])
    expect(kept.body.permissions).toEqual(['accounts.write', 'permissions.read', 'roles.read'])
  })

  it('even when it was taken from them after they were let in', async () => {
    const keeper = await newHolder(['roles.write'])
    const lent = await newRole(['permissions.read'])
    const role = await newRole()
    const requests = [
      [createRole, { json: { name: newName(), permissions: ['permissions.read'] } }],
      [updateRole, { id: role.id, json: { permissions: ['permissions.read'] } }],
      [
        updateRole,
        { id: keeper.roleId, json: { permissions: ['permissions.read', 'roles.write'] } },
      ],
    ] as const
    for (const [route, options] of requests) {
      await giveRole(keeper.id, lent.id)
      const service = serviceWith({
        meanwhile: () => rows('DELETE FROM user_roles WHERE role_id = ?', lent.id),
      })
      const { status, error } = await service.call(route, { as: keeper, ...options })
      expect([status, error.code]).toEqual([403, 'roles.permissionNotHeld'])
    }
    expect(await logOf(role.id)).toHaveLength(1)
    expect(await logOf(keeper.roleId)).toHaveLength(1)
  })

  it('and a command stops when its own permission or session goes before it commits', async () => {
    const keeper = await newHolder(['roles.write'])
    const json = { name: newName(), permissions: [] }
    const demoted = serviceWith({
      meanwhile: () => rows('DELETE FROM user_roles WHERE role_id = ?', keeper.roleId),
    })
    expect((await demoted.call(createRole, { as: keeper, json })).status).toBe(403)
    await giveRole(keeper.id, keeper.roleId)
    const signedOut = serviceWith({
      meanwhile: () => rows('UPDATE sessions SET revoked_at = 1 WHERE user_id = ?', keeper.id),
    })
    expect((await signedOut.call(createRole, { as: keeper, json })).status).toBe(401)
    expect(await rows('SELECT * FROM roles WHERE name = ?', json.name)).toEqual([])
  })
})

describe('of many at the same moment', () => {
  const fifty = <Value>(make: (at: number) => Promise<Value>) =>
    Promise.all(Array.from({ length: 50 }, (_, at) => make(at)))

  const statuses = (answers: { status: number }[]) =>
    Object.fromEntries(
      Object.entries(Object.groupBy(answers, ({ status }) => status)).map(([status, some]) => [
        status,
        some?.length,
      ]),
    )

  it('one creates a name', async () => {
    const as = await newAdmin()
    const json = { name: newName(), permissions: ['accounts.read' as const] }
    expect(statuses(await fifty(() => call(createRole, { as, json })))).toEqual({ 201: 1, 409: 49 })
    const log = await rows(
      'SELECT id FROM log_entries WHERE actor_id = ? AND type = ?',
      as.id,
      'role.created',
    )
    expect(log).toHaveLength(1)
  })

  it('one changes the version that all have seen', async () => {
    const as = await newAdmin()
    const { id } = await newRole([], as)
    const etag = (await call(getRole, { as, id })).headers.get('ETag') ?? ''
    const answers = await fifty((at) =>
      call(updateRole, { as, id, json: { description: `${at}` }, headers: { 'If-Match': etag } }),
    )
    expect(statuses(answers)).toEqual({ 200: 1, 412: 49 })
    const winner = answers.findIndex(({ status }) => status === 200)
    expect(await ok(getRole, { as, id })).toMatchObject({ description: `${winner}`, version: 2 })
    expect(await logOf(id)).toHaveLength(2)
  })

  it('none is lost in silence: without If-Match a lost race is a conflict', async () => {
    const as = await newAdmin()
    const { id } = await newRole([], as)
    const answers = await fifty((at) =>
      call(updateRole, { as, id, json: { description: `${at}` } }),
    )
    const won = answers.filter(({ status }) => status === 200)
    const lost = answers.filter(({ status }) => status !== 200)
    expect(lost.map(({ error }) => error.code)).toEqual(lost.map(() => 'request.conflict'))
    expect((await ok(getRole, { as, id })).version).toBe(1 + won.length)
  })

  it('a change that comes between reading and writing is not overwritten', async () => {
    const as = await newAdmin()
    const { id } = await newRole([], as)
    const other = () => ok(updateRole, { as, id, json: { description: 'theirs' } })
    const service = serviceWith({ meanwhile: other })
    const json = { description: 'mine' }
    const unasked = await service.call<ErrorBody>(updateRole, { as, id, json })
    expect([unasked.status, unasked.error.code]).toEqual([409, 'request.conflict'])
    const headers = { 'If-Match': '"2-seen"' }
    const asked = await service.call<ErrorBody>(updateRole, { as, id, json, headers })
    expect([asked.status, asked.error.code]).toEqual([412, 'request.stale'])
    const removed = await service.call<ErrorBody>(deleteRole, { as, id })
    expect([removed.status, removed.error.code]).toEqual([409, 'request.conflict'])
    expect((await ok(getRole, { as, id })).description).toBe('theirs')
  })

  it('a role that is given to somebody meanwhile is not deleted', async () => {
    const as = await newAdmin()
    const user = await newUser()
    const { id } = await newRole([], as)
    const service = serviceWith({ meanwhile: () => giveRole(user.id, id) })
    const { status, error } = await service.call(deleteRole, { as, id })
    expect([status, error.code]).toEqual([409, 'roles.inUse'])
    expect((await ok(getMe, { as: user })).roles.map((role) => role.id)).toContain(id)
    expect(await logOf(id)).toHaveLength(1)
  })
})

describe('versions', () => {
  it('answers 304 while nothing changed', async () => {
    const as = await newAdmin()
    const { id } = await newRole([], as)
    const first = await call(getRole, { as, id })
    const headers = { 'If-None-Match': first.headers.get('ETag') ?? '' }
    const second = await call(getRole, { as, id, headers })
    expect([second.status, second.text]).toEqual([304, ''])
    await ok(updateRole, { as, id, json: { description: 'new' } })
    expect((await call(getRole, { as, id, headers })).status).toBe(200)
  })

  it.each([
    ['an older version', '"1-abc"', 412],
    ['no version of ours', '"abc"', 412],
    ['a weak tag', 'W/"2-abc"', 412],
    ['the version, in a list', '"7-abc", "2-abc"', 200],
    ['the version alone', '"2"', 200],
    ['any version', '*', 200],
  ])('judges If-Match with %s', async (_, ifMatch, status) => {
    const as = await newAdmin()
    const { id } = await newRole([], as)
    await ok(updateRole, { as, id, json: {} })
    const headers = { 'If-Match': ifMatch }
    expect((await call(updateRole, { as, id, json: {}, headers })).status).toBe(status)
    const last = { 'If-Match': ifMatch.replace('2', '3') }
    expect((await call(deleteRole, { as, id, headers: last })).status).toBe(status)
  })

  it('costs one trip to read and two to write', async () => {
    const as = await newAdmin()
    const role = await newRole(['accounts.read'], as)
    const trips = (headers: Headers) => /(\d+) trips/.exec(headers.get('Server-Timing') ?? '')?.[1]
    for (const route of [listPermissions, listRoles, getRole] as const) {
      expect(trips((await call(route, { as, id: role.id })).headers)).toBe('1')
    }
    const json = { name: newName(), permissions: ['accounts.read' as const] }
    expect(trips((await call(createRole, { as, json })).headers)).toBe('2')
    const changed = { permissions: ['roles.read' as const] }
    expect(trips((await call(updateRole, { as, id: role.id, json: changed })).headers)).toBe('2')
    expect(trips((await call(deleteRole, { as, id: role.id })).headers)).toBe('2')
  })
})
