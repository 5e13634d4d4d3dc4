import { expect, it } from 'vitest'
import { PERMISSION_KEYS } from '../../../src/domain/permissions.ts'
import {
  createRole,
  deleteRole,
  getRole,
  listPermissions,
  listRoles,
  updateRole,
} from '../../../src/areas/identity/roles/roles.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { newAdmin, newUser } from '../../support/world.ts'
import { giveRole, logOf, newName, newRole } from './holders.ts'

it('lists every permission in the order of the catalogue', async () => {
  const { permissions, count } = await ok(listPermissions, { as: await newAdmin() })
  expect(permissions.map(({ key }) => key)).toEqual(PERMISSION_KEYS)
  expect(count).toBe(PERMISSION_KEYS.length)
  expect(permissions.find(({ key }) => key === 'roles.write')).toEqual({
    key: 'roles.write',
    description: 'Create, change and delete roles',
    area: 'Administration',
    adminOnly: true,
  })
})

it('lists the system roles first, then the others by name', async () => {
  const admin = await newAdmin()
  const mark = crypto.randomUUID()
  for (const name of [`b ${mark}`, `Ä ${mark}`, `A ${mark}`]) {
    await ok(createRole, { as: admin, json: { name, permissions: [] } })
  }
  const { roles, count } = await ok(listRoles, { as: admin })
  expect(count).toBe(roles.length)
  expect(roles.slice(0, 2).map(({ name, system }) => [name, system])).toEqual([
    ['admin', true],
    ['user', true],
  ])
  expect(roles.map(({ name }) => name).filter((name) => name.endsWith(mark))).toEqual([
    `A ${mark}`,
    `b ${mark}`,
    `Ä ${mark}`,
  ])
})

it('gives the system roles the permissions of the catalogue', async () => {
  const admin = await newAdmin()
  const [all, ordinary] = await Promise.all([
    ok(getRole, { as: admin, id: 'rol_admin' }),
    ok(getRole, { as: admin, id: 'rol_user' }),
  ])
  expect(all.permissions).toEqual(PERMISSION_KEYS)
  expect(ordinary.permissions).toContain('accounts.read')
  expect(ordinary.permissions).not.toContain('roles.read')
})

it('creates a role, with each permission once and in order', async () => {
  const admin = await newAdmin()
  const name = newName()
  const created = await call(createRole, {
    as: admin,
    json: {
      name: `  ${name}\u3000`,
      description: 'Enters receipts',
      permissions: ['transactions.write', 'accounts.read', 'transactions.write'],
    },
  })
  expect(created.status).toBe(201)
  expect(created.body).toMatchObject({
    name,
    description: 'Enters receipts',
    permissions: ['accounts.read', 'transactions.write'],
    system: false,
    userCount: 0,
    version: 1,
  })
  const read = await call(getRole, { as: admin, id: created.body.id })
  expect(read.body).toEqual(created.body)
  expect(read.headers.get('ETag')).toBe(created.headers.get('ETag'))
})

it('needs no description', async () => {
  expect((await newRole()).description).toBe('')
})

it('counts the users who have a role', async () => {
  const admin = await newAdmin()
  const { id } = await newRole([], admin)
  for (const user of await Promise.all([newUser(), newUser()])) {
    await giveRole(user.id, id)
  }
  expect((await ok(getRole, { as: admin, id })).userCount).toBe(2)
})

it.each([
  ['no name', { permissions: [] }, 'name'],
  ['an empty name', { name: '', permissions: [] }, 'name'],
  ['a blank name', { name: ' \u00a0\t', permissions: [] }, 'name'],
  ['a name of 65 characters', { name: 'x'.repeat(65), permissions: [] }, 'name'],
  ['no permissions', { name: 'x' }, 'permissions'],
  ['an unknown permission', { name: 'x', permissions: ['roles.own'] }, 'permissions.0'],
  ['a permission in other case', { name: 'x', permissions: ['Roles.Read'] }, 'permissions.0'],
  ['a word of all objects', { name: 'x', permissions: ['constructor'] }, 'permissions.0'],
  [
    'a long description',
    { name: 'x', permissions: [], description: 'x'.repeat(501) },
    'description',
  ],
  ['a null description', { name: 'x', permissions: [], description: null }, 'description'],
  ['an unknown field', { name: 'x', permissions: [], system: 'admin' }, 'system'],
])('refuses a role with %s', async (_, json, field) => {
  const raw = { body: JSON.stringify(json) }
  const refused = await call(createRole, { as: await newAdmin(), raw })
  expect([refused.status, refused.error.field]).toEqual([400, field])
})

it.each([
  ['in other case', (name: string) => name.toUpperCase()],
  ['with space around it', (name: string) => `\u2003${name} `],
  ['in full width', (name: string) => name.replaceAll('o', 'ｏ')],
  ['decomposed', (name: string) => name.normalize('NFD')],
])('refuses a name that is taken, %s', async (_, disguised) => {
  const admin = await newAdmin()
  const name = `Bürö ${crypto.randomUUID()}`
  const first = await ok(createRole, { as: admin, json: { name, permissions: [] } })
  const second = await newRole([], admin)
  const answers = await Promise.all([
    call(createRole, { as: admin, json: { name: disguised(name), permissions: [] } }),
    call(updateRole, { as: admin, id: second.id, json: { name: disguised(name) } }),
  ])
  for (const { status, error } of answers) {
    expect([status, error.code, error.field]).toEqual([409, 'roles.nameTaken', 'name'])
  }
  const own = await call(updateRole, { as: admin, id: first.id, json: { name: disguised(name) } })
  expect(own.status).toBe(200)
})

it('refuses the name of a system role', async () => {
  const json = { name: ' ADMIN', permissions: [] }
  const { status, error } = await call(createRole, { as: await newAdmin(), json })
  expect([status, error.code]).toEqual([409, 'roles.nameTaken'])
})

it('changes only what is sent', async () => {
  const admin = await newAdmin()
  const role = await newRole(['accounts.read'], admin)
  const name = newName()
  const renamed = await ok(updateRole, { as: admin, id: role.id, json: { name } })
  expect(renamed).toEqual({ ...role, name, version: 2, updatedAt: renamed.updatedAt })
  const json = { description: 'Sees transfers', permissions: ['transfers.read' as const] }
  const changed = await ok(updateRole, { as: admin, id: role.id, json })
  expect(changed).toEqual({ ...renamed, ...json, version: 3, updatedAt: changed.updatedAt })
  const emptied = await ok(updateRole, { as: admin, id: role.id, json: { permissions: [] } })
  expect(emptied.permissions).toEqual([])
  expect(await ok(getRole, { as: admin, id: role.id })).toEqual(emptied)
})

it.each([
  ['another name', { name: 'Boss' }, 'name'],
  ['fewer permissions', { permissions: [] }, 'permissions'],
  ['another name and permissions', { name: 'Boss', permissions: [] }, 'name'],
])('refuses a system role %s', async (_, json, field) => {
  for (const id of ['rol_admin', 'rol_user']) {
    const { status, error } = await call(updateRole, { as: await newAdmin(), id, json })
    expect([status, error.code, error.field]).toEqual([400, 'roles.systemRole', field])
  }
})

it('describes a system role anew, and lets its name and permissions be sent as they are', async () => {
  const admin = await newAdmin()
  const before = await ok(getRole, { as: admin, id: 'rol_user' })
  const { name, permissions } = before
  const description = `Everybody ${crypto.randomUUID()}`
  const json = { name, permissions: permissions.toReversed(), description }
  const after = await ok(updateRole, { as: admin, id: 'rol_user', json })
  expect(after).toMatchObject({ name, permissions, description, version: before.version + 1 })
  expect(await rows("SELECT * FROM role_permissions WHERE role_id = 'rol_user'")).toEqual([])
})

it('deletes a role once', async () => {
  const admin = await newAdmin()
  const { id } = await newRole(['accounts.read'], admin)
  expect(await ok(deleteRole, { as: admin, id })).toEqual({ message: 'The role was deleted.' })
  for (const route of [getRole, updateRole, deleteRole]) {
    const again = await call(route, { as: admin, id, ...(route === updateRole && { json: {} }) })
    expect([again.status, again.error.code]).toEqual([404, 'roles.notFound'])
  }
  expect(await rows('SELECT * FROM role_permissions WHERE role_id = ?', id)).toEqual([])
})

it('does not delete a system role', async () => {
  for (const id of ['rol_admin', 'rol_user']) {
    const { status, error } = await call(deleteRole, { as: await newAdmin(), id })
    expect([status, error.code]).toEqual([400, 'roles.systemRole'])
  }
})

it('does not delete a role that a user has, or that an invite grants', async () => {
  const admin = await newAdmin()
  const [given, promised] = await Promise.all([newRole([], admin), newRole([], admin)])
  await giveRole((await newUser()).id, given.id)
  await rows(
    'INSERT INTO invite_codes (id, code_hash, role_id, max_uses, created_at) VALUES (?1, ?1, ?2, 1, 0)',
    crypto.randomUUID(),
    promised.id,
  )
  for (const { id } of [given, promised]) {
    const { status, error } = await call(deleteRole, { as: admin, id })
    expect([status, error.code]).toEqual([409, 'roles.inUse'])
    expect((await call(getRole, { as: admin, id })).status).toBe(200)
  }
})

it('writes one line of log for each change, with both images, and none for what was refused', async () => {
  const admin = await newAdmin()
  const { id, name } = await newRole(['accounts.read'], admin)
  await ok(updateRole, { as: admin, id, json: { description: 'new', permissions: [] } })
  await call(updateRole, { as: admin, id, json: { name: 'admin' } })
  await call(updateRole, { as: admin, id, json: {}, headers: { 'If-Match': '"1-old"' } })
  await call(updateRole, { as: await newUser(), id, json: { name: newName() } })
  await call(updateRole, { as: admin, id, raw: { body: '{"name":1}' } })
  await ok(deleteRole, { as: admin, id })
  const log = await logOf(id)
  expect(log.map(({ type, actor_id }) => [type, actor_id])).toEqual([
    ['role.created', admin.id],
    ['role.updated', admin.id],
    ['role.deleted', admin.id],
  ])
  expect(log.map(({ content }) => JSON.parse(content))).toEqual([
    { after: { name, description: '', permissions: ['accounts.read'] } },
    {
      before: { description: '', permissions: ['accounts.read'] },
      after: { description: 'new', permissions: [] },
    },
    { before: { name, description: 'new', permissions: [] } },
  ])
})

it('answers a repeated creation with the same role', async () => {
  const as = await newAdmin()
  const json = { name: newName(), permissions: [] }
  const headers = { 'Idempotency-Key': crypto.randomUUID() }
  const [first, second] = [
    await call(createRole, { as, json, headers }),
    await call(createRole, { as, json, headers }),
  ]
  expect([second.status, second.text]).toEqual([first.status, first.text])
  expect(second.headers.get('ETag')).toBe(first.headers.get('ETag'))
  expect(await logOf(first.body.id)).toHaveLength(1)
})
