import { describe, expect, it } from 'vitest'
import { getMe } from '../../../src/areas/identity/auth/auth.routes.ts'
import { inviteAdministrator } from '../../../src/areas/identity/invites/invites.usecases.ts'
import {
  revokeInviteCode,
  updateInviteCode,
  validateInviteCode as validateRoute,
} from '../../../src/areas/identity/invites/invites.routes.ts'
import { updateRole } from '../../../src/areas/identity/roles/roles.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { contextWith, serviceWith } from '../../support/service.ts'
import { newAdmin, newUser } from '../../support/world.ts'
import { newHolder } from '../roles/holders.ts'
import {
  DAY,
  issuerWithRole,
  join,
  newAdminInvite,
  newInvite,
  takeRoles,
  validate,
  works,
} from './inviting.ts'

const closed = serviceWith({ env: { REGISTRATION: 'closed' } })
const byInvite = serviceWith({ env: { REGISTRATION: 'invite' } })

const usesOf = async (id: string) => {
  const [invite] = await rows<{ uses: number }>('SELECT uses FROM invite_codes WHERE id = ?', id)
  const redemptions = await rows('SELECT * FROM invite_redemptions WHERE invite_id = ?', id)
  return [invite?.uses, redemptions.length]
}

describe('a user’s code', () => {
  it('lets its holder in as often as it says', async () => {
    const { id, code } = await newInvite(await newUser(), { maxUses: 2 })
    expect(await works(code, byInvite)).toBe(true)
    expect(await works(code, byInvite)).toBe(true)
    expect(await works(code, byInvite)).toBe(false)
    expect(await usesOf(id)).toEqual([2, 2])
  })

  it('stops with the hour, when it is revoked, and while its issuer is disabled', async () => {
    const me = await newUser()
    const { id, code } = await newInvite(me, { maxUses: 9 })
    const later = (ahead: number) => serviceWith({ env: { REGISTRATION: 'invite' }, ahead })
    expect(await works(code, later(7 * DAY - 60_000))).toBe(true)
    expect(await works(code, later(7 * DAY))).toBe(false)
    for (const status of ['disabled', 'deleted']) {
      await rows('UPDATE users SET status = ? WHERE id = ?', status, me.id)
      expect(await works(code, byInvite), status).toBe(false)
    }
    await rows("UPDATE users SET status = 'active' WHERE id = ?", me.id)
    expect(await works(code, byInvite)).toBe(true)
    await ok(revokeInviteCode, { as: me, id })
    expect(await works(code, byInvite)).toBe(false)
    expect(await usesOf(id)).toEqual([2, 2])
  })

  it('does not work while registration is closed', async () => {
    const { code } = await newInvite(await newUser())
    expect(await works(code, closed)).toBe(false)
    expect(await works(code, byInvite)).toBe(true)
  })

  it('does not come back by more uses or time once it is revoked', async () => {
    const me = await newUser()
    const { id, code } = await newInvite(me)
    await ok(revokeInviteCode, { as: me, id })
    const { state } = await ok(updateInviteCode, { as: me, id, json: { maxUses: 5 } })
    expect(state).toBe('revoked')
    expect(await works(code)).toBe(false)
  })
})

describe('an administrator’s code', () => {
  it('works under every policy', async () => {
    const { code } = await newAdminInvite(await newAdmin(), { maxUses: 9 })
    for (const service of [closed, byInvite, serviceWith({})]) {
      expect(await works(code, service)).toBe(true)
    }
  })

  it('works like anybody’s once its issuer is no administrator any more', async () => {
    const admin = await newAdmin()
    const { code } = await newAdminInvite(admin, { maxUses: 9 })
    await takeRoles(admin.id, 'admin')
    expect(await works(code, closed)).toBe(false)
    expect(await works(code, byInvite)).toBe(true)
    await rows("UPDATE users SET status = 'disabled' WHERE id = ?", admin.id)
    expect(await works(code, byInvite)).toBe(false)
  })

  it('may be of somebody with that one permission', async () => {
    const { code } = await newAdminInvite(await newHolder(['allInviteCodes.write']))
    expect(await works(code, closed)).toBe(true)
  })
})

describe('the operator’s code', () => {
  it('works under every policy', async () => {
    for (const service of [closed, byInvite, serviceWith({})]) {
      expect(await works(await inviteAdministrator(contextWith()), service)).toBe(true)
    }
  })
})

describe('a role on a code', () => {
  it('comes with what is stored for it, and beside what everybody has', async () => {
    const { issuer, roleId } = await issuerWithRole(['roles.read', 'users.read'])
    const { code } = await newInvite(issuer, { roleId })
    const { status, body } = await join(code, byInvite)
    expect(status).toBe(201)
    expect(body.user.roles.map(({ id }) => id).toSorted()).toEqual(['rol_user', roleId].toSorted())
    const me = await ok(getMe, { as: body })
    expect(me.permissions.toSorted()).toEqual(body.user.permissions.toSorted())
    expect(me.permissions).toEqual(expect.arrayContaining(['roles.read', 'users.read']))
  })

  it('comes once, also where it is the one that everybody has', async () => {
    const { code } = await newInvite(await newUser(), { roleId: 'rol_user' })
    const { body } = await join(code, byInvite)
    expect(body.user.roles.map(({ id }) => id)).toEqual(['rol_user'])
  })

  it('makes an administrator of whoever a full administrator invites, as long as they are one', async () => {
    const admin = await newAdmin()
    const { code } = await newInvite(admin, { roleId: 'rol_admin', maxUses: 9 })
    expect(await works(code, byInvite)).toBe(true)
    await takeRoles(admin.id, 'admin')
    expect(await works(code, byInvite)).toBe(false)
  })

  it('stops the code when its issuer loses the role', async () => {
    const { issuer, roleId } = await issuerWithRole(['roles.read'])
    const { code } = await newInvite(issuer, { roleId, maxUses: 9 })
    expect(await works(code, byInvite)).toBe(true)
    await takeRoles(issuer.id, null)
    expect(await works(code, byInvite)).toBe(false)
  })

  it('stops the code when the role outgrows its issuer', async () => {
    const admin = await newAdmin()
    const { issuer } = await issuerWithRole(['roles.read'])
    const { roleId } = await newHolder(['roles.read'])
    const { code } = await newInvite(issuer, { roleId, maxUses: 9 })
    expect(await works(code, byInvite)).toBe(true)
    const grow = (permissions: ('roles.read' | 'users.read')[]) =>
      ok(updateRole, { as: admin, id: roleId, json: { permissions } })
    await grow(['roles.read', 'users.read'])
    expect(await works(code, byInvite)).toBe(false)
    await grow([])
    expect(await works(code, byInvite)).toBe(true)
  })

  it('is not given when the issuer loses it in the middle of a registration', async () => {
    const { issuer, roleId } = await issuerWithRole(['roles.read'])
    const { id, code } = await newInvite(issuer, { roleId })
    const service = serviceWith({ meanwhile: () => takeRoles(issuer.id, null) })
    const { status, error } = await join(code, service)
    expect([status, error.code]).toEqual([400, 'auth.invalidInvite'])
    expect(await usesOf(id)).toEqual([0, 0])
  })
})

describe('parallel registrations', () => {
  it.each([
    [1, 20],
    [3, 20],
  ])('with a code for %i make no more users of %i', async (maxUses, tries) => {
    const { id, code } = await newInvite(await newUser(), { maxUses })
    const answers = await Promise.all(Array.from({ length: tries }, () => join(code, byInvite)))
    const joined = answers.filter(({ status }) => status === 201)
    expect(joined).toHaveLength(maxUses)
    const others = answers.filter(({ status }) => status !== 201)
    expect(new Set(others.map(({ status, error }) => `${status} ${error.code}`))).toEqual(
      new Set(['400 auth.invalidInvite']),
    )
    expect(await usesOf(id)).toEqual([maxUses, maxUses])
  })
})

describe('asking whether a code works', () => {
  it('says yes or no and nothing else, and no is always the same', async () => {
    const me = await newUser()
    const [used, expired, revoked, disabled, lost, ofUser] = [
      await newInvite(me),
      await newInvite(me),
      await newInvite(me),
      await newInvite(await newUser()),
      await issuerWithRole(['roles.read']).then(async ({ issuer, roleId }) => {
        const invite = await newInvite(issuer, { roleId })
        await takeRoles(issuer.id, null)
        return invite
      }),
      await newInvite(me),
    ]
    await join(used.code)
    await rows('UPDATE invite_codes SET expires_at = 1 WHERE id = ?', expired.id)
    await ok(revokeInviteCode, { as: me, id: revoked.id })
    await rows(
      "UPDATE users SET status = 'disabled' WHERE id = (SELECT issued_by FROM invite_codes WHERE id = ?)",
      disabled.id,
    )
    const dead = [used, expired, revoked, disabled, lost].map(({ code }) => code)
    const wrong = [
      'inc_',
      'x',
      `${ofUser.code}x`,
      ofUser.code.toLowerCase(),
      "' OR 1=1--",
      '%',
      '😀',
    ]
    const answers = await Promise.all([...dead, ...wrong].map((code) => validate(code)))
    answers.push(await validate(ofUser.code, closed))
    for (const { status, text } of answers) {
      expect([status, text]).toEqual([200, '{"usable":false}'])
    }
    const alive = await validate(ofUser.code)
    expect([alive.status, alive.text]).toEqual([200, '{"usable":true}'])
    const names = ({ headers }: { headers: Headers }) => [...headers.keys()].toSorted()
    expect(names(alive)).toEqual(names(answers[0] ?? alive))
  })

  it('uses nothing up', async () => {
    const { id, code } = await newInvite(await newUser())
    for (let at = 0; at < 3; at++) {
      expect((await validate(code)).body.usable).toBe(true)
    }
    expect(await usesOf(id)).toEqual([0, 0])
  })

  it('counts wrong codes with those of registrations, so that guessing ends', async () => {
    const { code } = await newInvite(await newUser(), { maxUses: 9 })
    const headers = { 'CF-Connecting-IP': crypto.randomUUID() }
    const env = { CLIENT_IP_HEADER: 'CF-Connecting-IP', LOGIN_LIMIT_CLIENT: '3' }
    const guest = (given: ReturnType<typeof serviceWith>): typeof given => ({
      fetch: given.fetch,
      call: (route, options = {}) => given.call(route, { ...options, headers }),
    })
    const service = guest(serviceWith({ env }))
    for (let at = 0; at < 5; at++) {
      expect((await validate(code, service)).status).toBe(200)
    }
    expect((await validate('inc_a', service)).status).toBe(200)
    expect((await join('inc_b', service)).status).toBe(400)
    expect((await validate('inc_c', service)).status).toBe(200)
    for (const { status, headers: answered } of [
      await validate('inc_d', service),
      await validate(code, service),
      await join(code, service),
    ]) {
      expect([status, Number(answered.get('Retry-After')) > 0]).toEqual([429, true])
    }
    const later = guest(serviceWith({ env, ahead: 15 * 60 * 1000 }))
    expect((await validate(code, later)).body).toEqual({ usable: true })
  })

  it('answers no more parallel guesses than the window allows', async () => {
    const headers = { 'CF-Connecting-IP': crypto.randomUUID() }
    const service = serviceWith({
      env: { CLIENT_IP_HEADER: 'CF-Connecting-IP', LOGIN_LIMIT_CLIENT: '5' },
    })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        service.call(validateRoute, { json: { code: `inc_${at}` }, headers }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15)
  })

  it('does not keep the answer to a wrong code for its Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const json = { code: 'inc_wrong' }
    for (let at = 0; at < 2; at++) {
      const answer = await call(validateRoute, { json, headers })
      expect([answer.body, answer.headers.has('Idempotency-Replayed')]).toEqual([
        { usable: false },
        false,
      ])
    }
  })

  it.each([
    ['no code', {}, 'code'],
    ['an empty code', { code: '' }, 'code'],
    ['a long code', { code: 'x'.repeat(101) }, 'code'],
    ['a number', { code: 1 }, 'code'],
    ['more than a code', { code: 'x', id: 'y' }, 'id'],
  ])('needs a code: not %s', async (_, json, field) => {
    const { status, error } = await call(validateRoute, { raw: { body: JSON.stringify(json) } })
    expect([status, error.code, error.field]).toEqual([400, 'request.invalid', field])
  })
})
