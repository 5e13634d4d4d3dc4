import { describe, expect, it } from 'vitest'
import { isAdminOnly, isSessionOnly, PERMISSION_KEYS } from '../../../src/domain/permissions.ts'
import { updateRole } from '../../../src/areas/identity/roles/roles.routes.ts'
import {
  createUser,
  deleteUser,
  getUser,
  restoreUser,
  setUserRoles,
  updateUser,
  resetUserMfa,
  resetUserPassword,
  revokeUserSessions,
} from '../../../src/areas/identity/user-administration/user-administration.routes.ts'
import { type AnyRoute, call, type ErrorBody, ok, type Principal, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAdmin, newUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { turnMfaOn } from '../auth/authenticator.ts'
import { giveRole, newHolder, newRole } from '../roles/holders.ts'
import { freshEmail, logOf, newManager, newNobody, rowOf, statusOf } from './people.ts'

/** Every write on a user, with a request of it that is good. */
const writes = [
  { action: 'a change of the name', route: updateUser, json: { name: 'Mine' } },
  { action: 'a change of the address', route: updateUser, json: { email: freshEmail } },
  { action: 'disabling', route: updateUser, json: { status: 'disabled' } },
  { action: 'deletion', route: deleteUser },
  { action: 'restoring', route: restoreUser },
  { action: 'a new password', route: resetUserPassword, json: { delivery: 'mail' } },
  { action: 'removing the second factor', route: resetUserMfa },
  { action: 'signing out', route: revokeUserSessions },
  { action: 'taking roles away', route: setUserRoles, json: { roleIds: [] } },
] satisfies Write[]

/** What everybody may do by an access token, too. */
const OF_USER = PERMISSION_KEYS.filter((key) => !isAdminOnly(key) && !isSessionOnly(key))

interface Write {
  action: string
  route: AnyRoute
  json?: Record<string, unknown>
}

/** The answer of a service to such a request. */
function send({ route, json }: Write, as: Principal, id: string, service = serviceWith({})) {
  const body = json && {
    json: Object.fromEntries(
      Object.entries(json).map(([field, value]) => [
        field,
        value === freshEmail ? freshEmail() : value,
      ]),
    ),
  }
  return service.call<ErrorBody>(route, { as, id, ...body })
}

/** The user is in a state in which every write on it can succeed. */
async function ready(user: Awaited<ReturnType<typeof newUser>>, action: string) {
  if (action.includes('second factor')) {
    await turnMfaOn(user)
  }
  if (action === 'restoring') {
    await rows('UPDATE users SET deletion_due_at = 9e12 WHERE id = ?', user.id)
  }
}

describe.each<Write>(writes)('$action', (write) => {
  const { action } = write

  it('is not for whoever is permitted less than the user', async () => {
    const manager = await newManager()
    const strongers = [
      await newAdmin(),
      await newHolder(['roles.read']),
      await newHolder(['users.read', 'users.write', 'settings.read']),
    ]
    for (const stronger of strongers) {
      await ready(stronger, action)
      const { version } = await rowOf(stronger.id)
      const { status, error } = await send(write, manager, stronger.id)
      expect([status, error]).toMatchObject([403, { code: 'users.strongerUser' }])
      expect((await rowOf(stronger.id)).version).toBe(version)
      expect(await statusOf(stronger)).toBe(200)
      expect(await logOf(stronger.id)).toEqual([])
    }
  })

  it('is for whoever is permitted as much', async () => {
    const manager = await newManager()
    const user = await newUser()
    await ready(user, action)
    expect((await send(write, manager, user.id)).status).toBe(200)
  })

  it('stops when the user becomes stronger, or the caller weaker, before it is stored', async () => {
    const admin = await newAdmin()
    const role = await newRole([], admin)
    const manager = await newManager()
    const spare = await newRole(['permissions.read'], admin)
    for (const meanwhile of [
      () => ok(updateRole, { as: admin, id: role.id, json: { permissions: ['settings.read'] } }),
      () =>
        rows('DELETE FROM user_roles WHERE role_id = ?1 AND user_id = ?2', spare.id, manager.id),
    ]) {
      await ok(updateRole, { as: admin, id: role.id, json: { permissions: ['permissions.read'] } })
      await rows('DELETE FROM user_roles WHERE role_id = ?', spare.id)
      await giveRole(manager.id, spare.id)
      const user = await newUser()
      await giveRole(user.id, role.id)
      await ready(user, action)
      const { version } = await rowOf(user.id)
      const service = serviceWith({ meanwhile })
      const { status, error } = await send(write, manager, user.id, service)
      expect([status, error]).toMatchObject([403, { code: 'auth.notHeld' }])
      expect((await rowOf(user.id)).version).toBe(version)
      expect(await statusOf(user)).toBe(200)
    }
  })

  it('is not for an access token that has fewer permissions than the user', async () => {
    const admin = await newAdmin()
    const user = await newHolder(['roles.read'])
    const nobody = await newNobody(admin)
    await rows('DELETE FROM user_roles WHERE user_id = ? AND role_id = ?', user.id, 'rol_user')
    await rows(
      'UPDATE users SET deletion_due_at = 9e12, mfa_enabled_at = 1 WHERE id = ?',
      nobody.id,
    )
    const token = await giveToken(admin, ['users.read', 'users.write'])
    const { status, error } = await send(write, token, user.id)
    expect([status, error]).toMatchObject([403, { code: 'users.strongerUser' }])
    const done = await send(write, token, nobody.id)
    expect(done.status).toBe(200)
  })

  it('is for an access token that reaches as far as the user, its own password and sessions aside', async () => {
    const admin = await newAdmin()
    const user = await newUser()
    await ready(user, action)
    const short = await giveToken(admin, [...OF_USER.slice(1), 'users.write'])
    const { status, error } = await send(write, short, user.id)
    expect([status, error]).toMatchObject([403, { code: 'users.strongerUser' }])
    const token = await giveToken(admin, [...OF_USER, 'users.write'])
    expect((await send(write, token, user.id)).status).toBe(200)
  })

  it('is not for an access token once the user becomes stronger before it is stored', async () => {
    const admin = await newAdmin()
    const user = await newUser()
    await ready(user, action)
    const { version } = await rowOf(user.id)
    const role = await newRole(['roles.read'], admin)
    const service = serviceWith({ meanwhile: () => giveRole(user.id, role.id) })
    const token = await giveToken(admin, [...OF_USER, 'users.write'])
    const { status, error } = await send(write, token, user.id, service)
    expect([status, error]).toMatchObject([403, { code: 'auth.notHeld' }])
    expect((await rowOf(user.id)).version).toBe(version)
  })
})

it('makes nobody stronger that they may look after themselves', async () => {
  const manager = await newUser()
  const role = await newRole([...OF_USER, 'users.write'])
  await rows('DELETE FROM user_roles WHERE user_id = ?', manager.id)
  await giveRole(manager.id, role.id)
  const { id } = await newUser()
  const json = { name: 'Renamed' }
  expect((await call(updateUser, { as: manager, id, json })).status).toBe(200)
})

describe('nobody grants what they do not hold', () => {
  it('to a user who is, or to one who is to be', async () => {
    const manager = await newManager()
    const user = await newUser()
    const role = await newRole(['roles.read'])
    for (const roleIds of [['rol_admin'], ['rol_user', role.id]]) {
      const json = { email: freshEmail(), name: 'Stooge', roleIds }
      const answers = [
        await call(setUserRoles, { as: manager, id: user.id, json: { roleIds } }),
        await call(setUserRoles, { as: manager, id: manager.id, json: { roleIds } }),
        await call(createUser, { as: manager, json }),
      ]
      for (const { status, error } of answers) {
        expect([status, error.code, error.field]).toEqual([
          403,
          'users.permissionNotHeld',
          'roleIds',
        ])
      }
      expect(await rows('SELECT * FROM users WHERE email = ?', json.email)).toEqual([])
    }
    expect(await logOf(user.id)).toEqual([])
  })

  it('but what they hold they can grant', async () => {
    const manager = await newManager()
    const user = await newUser()
    const json = { roleIds: ['rol_user', manager.roleId] }
    const { roles } = await ok(setUserRoles, { as: manager, id: user.id, json })
    expect(roles.map(({ id }) => id)).toEqual(json.roleIds)
    const made = { email: freshEmail(), name: 'Colleague', ...json }
    expect((await ok(createUser, { as: manager, json: made })).roles).toEqual(roles)
  })

  it('even when the role gains it, or they lose it, before it is stored', async () => {
    const admin = await newAdmin()
    const manager = await newManager()
    const role = await newRole([], admin)
    const spare = await newRole(['permissions.read'], admin)
    const user = await newUser()
    for (const meanwhile of [
      () => ok(updateRole, { as: admin, id: role.id, json: { permissions: ['settings.read'] } }),
      () =>
        rows('DELETE FROM user_roles WHERE role_id = ?1 AND user_id = ?2', spare.id, manager.id),
    ]) {
      for (const [route, more] of [
        [setUserRoles, {}],
        [createUser, { email: freshEmail(), name: 'Stooge' }],
      ] as const) {
        await ok(updateRole, {
          as: admin,
          id: role.id,
          json: { permissions: ['permissions.read'] },
        })
        await rows('DELETE FROM user_roles WHERE role_id = ?', spare.id)
        await giveRole(manager.id, spare.id)
        const json = { roleIds: [role.id], ...more }
        const asked = { as: manager, id: user.id, json }
        const { status, error } = await serviceWith({ meanwhile }).call(route, asked)
        expect([status, error]).toMatchObject([403, { code: 'auth.notHeld' }])
      }
    }
    const holders = await rows('SELECT * FROM user_roles WHERE role_id = ?', role.id)
    expect(holders).toEqual([])
  })

  it('nor can an access token, whatever its owner holds', async () => {
    const admin = await newAdmin()
    const nobody = await newNobody(admin)
    const token = await giveToken(admin, ['users.write', 'roles.read'])
    const [held, beyond] = [await newRole(['roles.read']), await newRole(['settings.read'])]
    const grant = (roleId: string) =>
      call(setUserRoles, { as: token, id: nobody.id, json: { roleIds: [roleId] } })
    expect((await grant(beyond.id)).error.code).toBe('users.permissionNotHeld')
    expect((await grant(held.id)).status).toBe(200)
  })
})

describe('what needs a session', () => {
  const named = () => ({ email: freshEmail(), name: 'Newcomer' })

  it('is handed on by an access token as far as its owner holds it', async () => {
    const token = await giveToken(await newAdmin(), [...OF_USER, 'users.write'])
    const { roles } = await ok(createUser, { as: token, json: named() })
    expect(roles.map(({ id }) => id)).toEqual(['rol_user'])
  })

  it('is handed on by no access token whose owner lacks it, or loses it before it is stored', async () => {
    const owner = await newUser()
    const [role, spare] = [
      await newRole([...OF_USER, 'users.write', 'tokens.write']),
      await newRole(PERMISSION_KEYS.filter(isSessionOnly)),
    ]
    await giveRole(owner.id, role.id)
    const token = await giveToken(owner, [...OF_USER, 'users.write'])
    await rows("DELETE FROM user_roles WHERE user_id = ? AND role_id = 'rol_user'", owner.id)
    const refused = await call(createUser, { as: token, json: named() })
    expect([refused.status, refused.error.code]).toEqual([403, 'users.permissionNotHeld'])
    await giveRole(owner.id, spare.id)
    const service = serviceWith({
      meanwhile: () => rows('DELETE FROM user_roles WHERE role_id = ?', spare.id),
    })
    const late = await service.call(createUser, { as: token, json: named() })
    expect([late.status, late.error.code]).toEqual([403, 'auth.notHeld'])
    await giveRole(owner.id, spare.id)
    expect((await call(createUser, { as: token, json: named() })).status).toBe(201)
  })
})

describe('whoever may do everything', () => {
  it('lays hands on an administrator without being one', async () => {
    const [as, admin] = [await newHolder(PERMISSION_KEYS), await newAdmin()]
    await ok(updateUser, { as, id: admin.id, json: { status: 'disabled' } })
    expect(await statusOf(admin)).toBe(401)
  })
})

describe('reading', () => {
  it('is for whoever may see users, whatever these may do', async () => {
    const manager = await newManager()
    const admin = await newAdmin()
    expect((await ok(getUser, { as: manager, id: admin.id })).email).toBe(admin.email)
  })
})
