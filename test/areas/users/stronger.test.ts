import { describe, expect, it } from 'vitest'
import { PERMISSION_KEYS } from '../../../src/domain/permissions.ts'
import { updateRole } from '../../../src/areas/roles/roles.routes.ts'
import { createUser } from '../../../src/areas/users/creation/creation.routes.ts'
import {
  postResetUserMfa,
  postResetUserPassword,
  postRevokeUserSessions,
} from '../../../src/areas/users/credentials/credentials.routes.ts'
import { deleteUser, postRestoreUser } from '../../../src/areas/users/deletion/deletion.routes.ts'
import { putUserRoles } from '../../../src/areas/users/grants/grants.routes.ts'
import { getUser, patchUser } from '../../../src/areas/users/users.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAdmin, newUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { turnMfaOn } from '../auth/authenticator.ts'
import { giveRole, newHolder, newRole } from '../roles/holders.ts'
import { freshEmail, logOf, newManager, newNobody, rowOf, statusOf } from './people.ts'

/** Every write on a user, with a request of it that is good. */
const writes = [
  ['a change of the name', patchUser, { name: 'Mine' }],
  ['a change of the address', patchUser, { email: 'mine@example.com' }],
  ['disabling', patchUser, { status: 'disabled' }],
  ['deletion', deleteUser, undefined],
  ['restoring', postRestoreUser, undefined],
  ['a new password', postResetUserPassword, { delivery: 'reveal' }],
  ['removing the second factor', postResetUserMfa, undefined],
  ['signing out', postRevokeUserSessions, undefined],
  ['taking roles away', putUserRoles, { roleIds: [] }],
] as const

const write = (as: Principal, id: string, [, route, json]: (typeof writes)[number]) => ({
  route,
  options: { as, id, ...(json ? { json } : {}) },
})

/** The user is in a state in which every write on it can succeed. */
async function ready(user: Awaited<ReturnType<typeof newUser>>, action: string) {
  if (action.includes('second factor')) {
    await turnMfaOn(user)
  }
  if (action === 'restoring') {
    await rows('UPDATE users SET deletion_due_at = 9e12 WHERE id = ?', user.id)
  }
}

describe.each(writes)('%s', (...action) => {
  it('is not for whoever is permitted less than the user', async () => {
    const manager = await newManager()
    const strongers = [
      await newAdmin(),
      await newHolder(['roles.read']),
      await newHolder(['users.read', 'users.write', 'settings.read']),
    ]
    for (const stronger of strongers) {
      await ready(stronger, action[0])
      const { version } = await rowOf(stronger.id)
      const { route, options } = write(manager, stronger.id, action)
      const { status, error } = await serviceWith({}).call(route, options)
      expect([status, error]).toMatchObject([403, { code: 'users.strongerUser' }])
      expect((await rowOf(stronger.id)).version).toBe(version)
      expect(await statusOf(stronger)).toBe(200)
      expect(await logOf(stronger.id)).toEqual([])
    }
  })

  it('is for whoever is permitted as much', async () => {
    const manager = await newManager()
    const user = await newUser()
    await ready(user, action[0])
    const isAddress = action[0].includes('address')
    const { route, options } = write(manager, user.id, action)
    const json = isAddress ? { json: { email: freshEmail() } } : {}
    expect((await serviceWith({}).call(route, { ...options, ...json })).status).toBe(200)
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
      await ready(user, action[0])
      const { version } = await rowOf(user.id)
      const { route, options } = write(manager, user.id, action)
      const { status, error } = await serviceWith({ meanwhile }).call(route, options)
      expect([status, error]).toMatchObject([403, { code: 'auth.forbidden' }])
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
    const { route, options } = write(token, user.id, action)
    const { status, error } = await serviceWith({}).call(route, options)
    expect([status, error]).toMatchObject([403, { code: 'users.strongerUser' }])
    const weaker = write(token, nobody.id, action)
    const json = action[0].includes('address') ? { json: { email: freshEmail() } } : {}
    const done = await serviceWith({}).call(weaker.route, { ...weaker.options, ...json })
    expect(done.status).toBe(200)
  })
})

describe('nobody grants what they do not hold', () => {
  it('to a user who is, or to one who is to be', async () => {
    const manager = await newManager()
    const user = await newUser()
    const role = await newRole(['roles.read'])
    for (const roleIds of [['rol_admin'], ['rol_user', role.id]]) {
      const json = { email: freshEmail(), name: 'Stooge', roleIds }
      const answers = [
        await call(putUserRoles, { as: manager, id: user.id, json: { roleIds } }),
        await call(putUserRoles, { as: manager, id: manager.id, json: { roleIds } }),
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
    const { roles } = await ok(putUserRoles, { as: manager, id: user.id, json })
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
        [putUserRoles, {}],
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
        expect([status, error]).toMatchObject([403, { code: 'auth.forbidden' }])
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
      call(putUserRoles, { as: token, id: nobody.id, json: { roleIds: [roleId] } })
    expect((await grant(beyond.id)).error.code).toBe('users.permissionNotHeld')
    expect((await grant(held.id)).status).toBe(200)
  })
})

describe('whoever may do everything', () => {
  it('lays hands on an administrator without being one', async () => {
    const [as, admin] = [await newHolder(PERMISSION_KEYS), await newAdmin()]
    await ok(patchUser, { as, id: admin.id, json: { status: 'disabled' } })
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
