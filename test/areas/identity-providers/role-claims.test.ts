import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { getMe } from '../../../src/areas/identity/auth/auth.routes.ts'
import {
  createIdentityProvider,
  updateIdentityProvider,
  exchangeProviderCode,
} from '../../../src/areas/identity/identity-providers/identity-providers.routes.ts'
import { deleteRole, updateRole } from '../../../src/areas/identity/roles/roles.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAdmin } from '../../support/world.ts'
import { giveRole, newHolder, newRole } from '../roles/holders.ts'
import { journeysTo } from './journeys.ts'
import { oidcDouble } from './oidc-double.ts'
import { type ProviderInput, wanted } from './providers.ts'

// Roles that follow from a claim of the provider.

let oidc: Awaited<ReturnType<typeof oidcDouble>>
beforeEach(async () => {
  oidc = await oidcDouble()
})
afterEach(() => vi.restoreAllMocks())

const { newRealm, travel, enter } = journeysTo(() => oidc)

const rolesOf = async (userId: string) => {
  const held = await rows<{ role_id: string }>(
    'SELECT role_id FROM user_roles WHERE user_id = ? ORDER BY role_id',
    userId,
  )
  return held.map(({ role_id }) => role_id)
}

const changesOf = async (userId: string) => {
  const logged = await rows<{ content: string }>(
    "SELECT content FROM log_entries WHERE type = 'user.rolesChanged' AND resource_id = ? ORDER BY number",
    userId,
  )
  return logged.map(({ content }) => JSON.parse(content) as unknown)
}

/** A provider that decides about two roles, `one` and `two`, by its groups. */
async function newMapped(changed: Partial<ProviderInput> = {}) {
  const [one, two] = [await newRole(['roles.read']), await newRole(['users.read'])]
  const roleMap = { ones: one.id, twos: two.id, 'The Twos': two.id }
  const realm = await newRealm({ roleClaim: 'groups', roleMap, ...changed })
  return { ...realm, one: one.id, two: two.id, roleMap }
}

const say = (groups: unknown) => {
  oidc.conduct.wrong = { claims: { groups } }
}

describe('at each sign-in', () => {
  it('roles of the map are given and taken, and no others', async () => {
    const { id, one, two } = await newMapped()
    const other = await newRole([])
    say(['ones', 'strangers', other.id, 'rol_admin'])
    const first = await enter(id)
    const userId = first.body.user.id
    expect(await rolesOf(userId)).toEqual([one, 'rol_user'].toSorted())
    expect(first.body.user.roles.map((role) => role.id).toSorted()).toEqual(await rolesOf(userId))
    const me = await ok(getMe, { as: first.body })
    expect(me.permissions).toContain('roles.read')
    expect(first.body.user.permissions.toSorted()).toEqual(me.permissions.toSorted())

    await giveRole(userId, other.id)
    say(['twos'])
    const second = await enter(id)
    expect(await rolesOf(userId)).toEqual([two, other.id, 'rol_user'].toSorted())
    const after = await ok(getMe, { as: second.body })
    expect(second.body.user).toMatchObject({ version: after.version })
    expect(after.permissions).not.toContain('roles.read')

    say([])
    await enter(id)
    expect(await rolesOf(userId)).toEqual([other.id, 'rol_user'].toSorted())
  })

  it('the log tells what was given and taken, and by which provider', async () => {
    const { id, one, two } = await newMapped()
    say(['ones'])
    const { body } = await enter(id)
    const [provisioned] = await rows<{ content: string }>(
      "SELECT content FROM log_entries WHERE type = 'user.provisioned' AND resource_id = ?",
      body.user.id,
    )
    const source = { provider: id, issuer: oidc.issuer }
    expect(JSON.parse(provisioned?.content ?? '')).toMatchObject(source)
    expect(provisioned?.content).toContain(one)
    await enter(id)
    expect(await changesOf(body.user.id)).toEqual([])
    say(['twos'])
    await enter(id)
    expect(await changesOf(body.user.id)).toEqual([
      {
        before: { roleIds: [one, 'rol_user'].toSorted() },
        after: { roleIds: [two, 'rol_user'].toSorted() },
        ...source,
      },
    ])
  })

  it('a claim that is missing gives nothing, and takes all of the map', async () => {
    const { id } = await newMapped()
    say('ones')
    const { body } = await enter(id)
    say(undefined)
    await enter(id)
    expect(await rolesOf(body.user.id)).toEqual(['rol_user'])
  })

  it('the map decides about the role of newcomers, too, if it has it', async () => {
    const { id } = await newMapped({ roleMap: { staff: 'rol_user' } })
    say(['others'])
    const { body } = await enter(id)
    expect(await rolesOf(body.user.id)).toEqual([])
    say(['staff'])
    await enter(id)
    expect(await rolesOf(body.user.id)).toEqual(['rol_user'])
  })

  it('a user with a second factor has the roles before it is asked for', async () => {
    const { id, one } = await newMapped()
    const { body } = await enter(id)
    await rows('UPDATE users SET mfa_enabled_at = 1 WHERE id = ?', body.user.id)
    say(['ones'])
    expect((await enter(id)).body).toMatchObject({ mfaRequired: true })
    expect(await rolesOf(body.user.id)).toEqual([one, 'rol_user'].toSorted())
  })

  it.each<[string, Record<string, unknown>, string]>([
    ['a list', { groups: ['x', 'ones'] }, 'groups'],
    ['a text', { groups: 'ones' }, 'groups'],
    ['a text of several', { groups: 'x ones y' }, 'groups'],
    ['a path, as Keycloak has it', { realm_access: { roles: ['ones'] } }, 'realm_access.roles'],
    ['a name with dots', { 'https://example.com/roles': ['ones'] }, 'https://example.com/roles'],
  ])('the claim may be %s', async (_, claims, roleClaim) => {
    const { id, one } = await newMapped({ roleClaim })
    oidc.conduct.wrong = { claims }
    expect(await rolesOf((await enter(id)).body.user.id)).toContain(one)
  })

  it('a text is also one value with spaces in it', async () => {
    const { id, two } = await newMapped()
    say('The Twos')
    expect(await rolesOf((await enter(id)).body.user.id)).toContain(two)
  })

  it.each<[string, unknown]>([
    ['an object', { ones: true }],
    ['lists in a list', [['ones'], { ones: 'ones' }, null, 1]],
    ['another case', ['ONES']],
    ['a part of it', ['one', 'ones ', 'onesies']],
    ['a text between commas', 'ones,twos'],
    ['a number', 1],
  ])('gives nothing for %s', async (_, claim) => {
    const { id } = await newMapped()
    say(claim)
    expect(await rolesOf((await enter(id)).body.user.id)).toEqual(['rol_user'])
  })

  it('the claim may come from the userinfo endpoint', async () => {
    const { id, one } = await newMapped()
    oidc.conduct.wrong = { userinfo: { groups: ['ones'] } }
    expect(await rolesOf((await enter(id)).body.user.id)).toContain(one)
  })
})

describe('a provider that is not marked', () => {
  it('gives and takes nothing, whatever it says and whatever its map is', async () => {
    const { id, one, two } = await newMapped({ roleClaim: null })
    say(['ones'])
    const { body } = await enter(id)
    await giveRole(body.user.id, two)
    say(['ones', one])
    await enter(id)
    expect(await rolesOf(body.user.id)).toEqual([two, 'rol_user'].toSorted())
  })

  it('keeps no code of when it was', async () => {
    const { id, json, roleMap } = await newMapped()
    say(['ones'])
    const code = (await travel(id)).body?.code ?? ''
    const changed = { ...json, roleMap, roleClaim: null }
    await ok(updateIdentityProvider, { as: await newAdmin(), id, json: changed })
    expect((await call(exchangeProviderCode, { json: { code } })).status).toBe(401)
  })
})

describe('administrators', () => {
  const asAdministrator = async () => {
    const realm = await newMapped({ roleMap: { chiefs: 'rol_admin' } })
    say(['chiefs'])
    const { body } = await enter(realm.id)
    say([])
    return { id: realm.id, userId: body.user.id, isAdmin: () => rolesOf(body.user.id) }
  }
  /** Takes everybody else out of office for a while. */
  const alone = async (userId: string, run: () => Promise<void>) => {
    const others = `status = 'active' AND id <> ?1
      AND id IN (SELECT user_id FROM user_roles WHERE role_id = 'rol_admin')`
    await rows(
      `UPDATE users SET deletion_due_at = 7 WHERE deletion_due_at IS NULL AND ${others}`,
      userId,
    )
    try {
      await run()
    } finally {
      await rows('UPDATE users SET deletion_due_at = NULL WHERE deletion_due_at = 7')
    }
  }

  it('lose the role like any other', async () => {
    const { id, isAdmin } = await asAdministrator()
    await newAdmin()
    await enter(id)
    expect(await isAdmin()).toEqual(['rol_user'])
  })

  it('keep the role while there is no other one, and sign in all the same', async () => {
    const { id, userId, isAdmin } = await asAdministrator()
    await alone(userId, async () => {
      const { status, body } = await enter(id)
      expect([status, body.user.permissions.includes('users.write')]).toEqual([200, true])
      expect(await isAdmin()).toEqual(['rol_admin', 'rol_user'])
    })
  })

  it('keep the role when the other one leaves meanwhile', async () => {
    const { id, userId, isAdmin } = await asAdministrator()
    const other = await newAdmin()
    await alone(userId, async () => {
      await rows('UPDATE users SET deletion_due_at = NULL WHERE id = ?', other.id)
      const { body } = await travel(id)
      const meanwhile = () => rows('UPDATE users SET deletion_due_at = 7 WHERE id = ?', other.id)
      const json = { code: body?.code ?? '' }
      const { status, error } = await serviceWith({ meanwhile }).call(exchangeProviderCode, {
        json,
      })
      expect([status, error.code]).toEqual([409, 'request.conflict'])
      expect(await isAdmin()).toEqual(['rol_admin', 'rol_user'])
    })
  })
})

describe('a role of the map', () => {
  it('must exist', async () => {
    const json = wanted({ roleClaim: 'groups', roleMap: { a: 'rol_user', b: 'rol_nobody' } })
    const { status, error } = await call(createIdentityProvider, { as: await newAdmin(), json })
    expect([status, error.code, error.field]).toEqual([
      400,
      'identityProviders.unknownRole',
      'roleMap.b',
    ])
  })

  it('permits nothing that the caller may not do, also when it is there already', async () => {
    const writer = await newHolder(['identityProviders.write'])
    const { id, json, roleMap } = await newMapped()
    const as = writer
    const roleClaim = 'groups'
    const refused = [
      await call(createIdentityProvider, { as, json: wanted({ roleClaim, roleMap }) }),
      await call(updateIdentityProvider, { as, id, json: { ...json, roleMap } }),
      await call(updateIdentityProvider, { as, id, json: wanted() }),
      await call(updateIdentityProvider, { as, id, json: wanted({ roleMap: { x: 'rol_admin' } }) }),
    ]
    for (const { status, error } of refused) {
      expect([status, error.code]).toEqual([403, 'identityProviders.permissionNotHeld'])
    }
    const own = wanted({ roleClaim, roleMap: { mine: writer.roleId } })
    expect((await call(createIdentityProvider, { as, json: own })).status).toBe(201)
  })

  it('cannot gain permissions between reading and writing', async () => {
    const writer = await newHolder(['identityProviders.write'])
    const role = await newRole([])
    const admin = await newAdmin()
    const json = { permissions: ['roles.read' as const] }
    const service = serviceWith({
      meanwhile: () => ok(updateRole, { as: admin, id: role.id, json }),
    })
    const sent = wanted({ roleClaim: 'groups', roleMap: { x: role.id } })
    const { status, error } = await service.call(createIdentityProvider, { as: writer, json: sent })
    expect([status, error.code]).toEqual([409, 'identityProviders.roleChanged'])
  })

  it('cannot be deleted while the map has it', async () => {
    const { id, json, one } = await newMapped()
    const as = await newAdmin()
    const { status, error } = await call(deleteRole, { as, id: one })
    expect([status, error.code]).toEqual([409, 'roles.inUse'])
    await ok(updateIdentityProvider, { as, id, json: { ...json, roleMap: {} } })
    expect((await call(deleteRole, { as, id: one })).status).toBe(200)
  })
})
