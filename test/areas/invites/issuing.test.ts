import { describe, expect, it } from 'vitest'
import {
  createInviteCode,
  createInviteCodes,
  getInviteCode,
  listAllInviteCodes,
} from '../../../src/areas/identity/invites/invites.routes.ts'
import { createRole, deleteRole } from '../../../src/areas/identity/roles/roles.routes.ts'
import { sha256Text } from '../../../src/platform/secrets/crypto.ts'
import { call, ok, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAdmin, newUser } from '../../support/world.ts'
import { tokenFor } from '../access-tokens/tokens.ts'
import { giveRole, newHolder, newName, newRole } from '../roles/holders.ts'
import { DAY, inDays, issuerWithRole, logOf, newInvite, takeRoles } from './inviting.ts'

describe('an invite code of a user', () => {
  it('is good for one registration within a week unless more is said', async () => {
    const me = await newUser()
    const before = Date.now()
    const invite = await newInvite(me)
    expect(invite).toEqual({
      id: expect.stringMatching(/^inv_/),
      code: expect.stringMatching(/^inc_[\w-]{27}$/),
      codePrefix: invite.code.slice(0, 8),
      maxUses: 1,
      uses: 0,
      expiresAt: expect.any(String),
      roleId: null,
      groupId: null,
      groupRole: null,
      note: '',
      state: 'active',
      version: 1,
      createdAt: expect.any(String),
      updatedAt: invite.createdAt,
    })
    const life = Date.parse(invite.expiresAt ?? '') - before
    expect(life).toBeGreaterThanOrEqual(7 * DAY)
    expect(life).toBeLessThan(7 * DAY + 60_000)
  })

  it('is what was asked for', async () => {
    const { issuer, roleId } = await issuerWithRole(['roles.read'])
    const json = { maxUses: 1000, expiresAt: inDays(365), roleId, note: 'For the club' }
    expect(await newInvite(issuer, json)).toMatchObject(json)
  })

  it('is shown once, and stored hashed only', async () => {
    const me = await newUser()
    const { code, ...invite } = await newInvite(me, { note: 'once' })
    const seen = await call(getInviteCode, { as: me, id: invite.id })
    expect(seen.body).toEqual(invite)
    const stored = await rows<{ code_hash: string }>(
      'SELECT * FROM invite_codes WHERE id = ?',
      invite.id,
    )
    expect(stored[0]?.code_hash).toBe(sha256Text(code))
    const log = await logOf(invite.id)
    for (const text of [seen.text, JSON.stringify(stored), JSON.stringify(log)]) {
      expect(text).not.toContain(code)
      expect(text).not.toContain(code.slice(8))
    }
  })

  it('comes again under the same Idempotency-Key', async () => {
    const me = await newUser()
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const answers = []
    for (let at = 0; at < 2; at++) {
      answers.push(await call(createInviteCode, { as: me, json: {}, headers }))
    }
    expect(answers[1]?.text).toBe(answers[0]?.text)
    expect(await rows('SELECT id FROM invite_codes WHERE issued_by = ?', me.id)).toHaveLength(1)
  })

  it.each([
    ['no uses', { maxUses: 0 }, 'request.invalid', 'maxUses'],
    ['1001 uses', { maxUses: 1001 }, 'request.invalid', 'maxUses'],
    ['half a use', { maxUses: 1.5 }, 'request.invalid', 'maxUses'],
    ['a null for uses', { maxUses: null }, 'request.invalid', 'maxUses'],
    ['a day for a time', { expiresAt: '2027-01-01' }, 'request.invalid', 'expiresAt'],
    ['a number for a time', { expiresAt: 1 }, 'request.invalid', 'expiresAt'],
    ['a time that has passed', { expiresAt: inDays(-1) }, 'inviteCodes.invalidExpiry', 'expiresAt'],
    ['a time far away', { expiresAt: inDays(370) }, 'inviteCodes.invalidExpiry', 'expiresAt'],
    ['an empty role', { roleId: '' }, 'request.invalid', 'roleId'],
    ['a long role', { roleId: 'r'.repeat(65) }, 'request.invalid', 'roleId'],
    ['a long note', { note: 'x'.repeat(201) }, 'request.invalid', 'note'],
    ['a code of its own', { code: 'inc_mine' }, 'request.invalid', 'code'],
    [
      'ownership of a group',
      { groupId: 'grp_x', groupRole: 'owner' },
      'request.invalid',
      'groupRole',
    ],
    ['several', { quantity: 2 }, 'request.invalid', 'quantity'],
    [
      'what only administrators give',
      { byAdministrator: true },
      'request.invalid',
      'byAdministrator',
    ],
  ])('cannot have %s', async (_, json, code, field) => {
    const me = await newUser()
    const raw = { body: JSON.stringify(json) }
    const { status, error } = await call(createInviteCode, { as: me, raw })
    expect([status, error.code, error.field]).toEqual([400, code, field])
    expect(await rows('SELECT id FROM invite_codes WHERE issued_by = ?', me.id)).toEqual([])
  })

  it('cannot be issued while registration is closed', async () => {
    const me = await newUser()
    const closed = serviceWith({ env: { REGISTRATION: 'closed' } })
    const { status, error } = await closed.call(createInviteCode, { as: me, json: {} })
    expect([status, error.code]).toEqual([403, 'inviteCodes.registrationClosed'])
    const invite = serviceWith({ env: { REGISTRATION: 'invite' } })
    expect((await invite.call(createInviteCode, { as: me, json: {} })).status).toBe(201)
  })
})

describe('a role on a code', () => {
  it.each(['rol_admin', 'custom', 'rol_nobody'])(
    'is refused to who is permitted less: %s',
    async (which) => {
      const me = await newUser()
      const roleId = which === 'custom' ? (await newRole(['roles.read'])).id : which
      const { status, error } = await call(createInviteCode, { as: me, json: { roleId } })
      expect([status, error.code, error.field]).toEqual([
        403,
        'inviteCodes.roleNotGrantable',
        'roleId',
      ])
      expect(await rows('SELECT id FROM invite_codes WHERE issued_by = ?', me.id)).toEqual([])
    },
  )

  it('is refused to an issuer of many who is no full administrator', async () => {
    const issuer = await newHolder(['allInviteCodes.write', 'roles.write'])
    const refused = await call(createInviteCodes, { as: issuer, json: { roleId: 'rol_admin' } })
    expect([refused.status, refused.error.code]).toEqual([403, 'inviteCodes.roleNotGrantable'])
    const own = await call(createInviteCodes, { as: issuer, json: { roleId: issuer.roleId } })
    expect(own.status).toBe(201)
  })

  it('is refused to an access token that may issue codes only, whatever its owner may', async () => {
    const admin = await newAdmin()
    const as = { accessToken: await tokenFor(admin, ['inviteCodes.write', 'roles.read']) }
    const beyond = await call(createInviteCode, { as, json: { roleId: 'rol_admin' } })
    expect([beyond.status, beyond.error.code]).toEqual([403, 'inviteCodes.roleNotGrantable'])
    const { id: roleId } = await newRole(['roles.read'], admin)
    expect((await newInvite(as, { roleId })).roleId).toBe(roleId)
  })

  it('may be one that permits nothing, or what everybody may', async () => {
    const me = await newUser()
    const { id } = await newRole([])
    for (const roleId of [id, 'rol_user']) {
      expect((await newInvite(me, { roleId })).roleId).toBe(roleId)
    }
  })

  it('is refused when the permission goes between reading and writing', async () => {
    const admin = await newAdmin()
    const service = serviceWith({ meanwhile: () => takeRoles(admin.id, 'admin') })
    const { status, error } = await service.call(createInviteCode, {
      as: admin,
      json: { roleId: 'rol_admin' },
    })
    expect([status, error.code]).toEqual([403, 'inviteCodes.roleNotGrantable'])
  })

  it('cannot be deleted while the code is alive, and can afterwards', async () => {
    const admin = await newAdmin()
    const role = () => ok(createRole, { as: admin, json: { name: newName(), permissions: [] } })
    const kill = {
      used: 'UPDATE invite_codes SET uses = max_uses WHERE id = ?',
      expired: 'UPDATE invite_codes SET expires_at = 1 WHERE id = ?',
      revoked: 'UPDATE invite_codes SET revoked_at = 1 WHERE id = ?',
    }
    for (const [state, sql] of Object.entries(kill)) {
      const { id: roleId } = await role()
      const invite = await newInvite(admin, { roleId })
      const alive = await call(deleteRole, { as: admin, id: roleId })
      expect([alive.status, alive.error.code]).toEqual([409, 'roles.inUse'])
      await rows(sql, invite.id)
      expect((await call(deleteRole, { as: admin, id: roleId })).status, state).toBe(200)
      const left = await ok(getInviteCode, { as: admin, id: invite.id })
      expect([left.state, left.roleId]).toEqual([state, null])
    }
  })

  it('that a user has, too, keeps dead codes as they are', async () => {
    const admin = await newAdmin()
    const { id: roleId } = await newRole([], admin)
    const invite = await newInvite(admin, { roleId })
    await rows('UPDATE invite_codes SET revoked_at = 1 WHERE id = ?', invite.id)
    const service = serviceWith({ meanwhile: () => giveRole(admin.id, roleId) })
    expect((await service.call(deleteRole, { as: admin, id: roleId })).status).toBe(409)
    expect((await ok(getInviteCode, { as: admin, id: invite.id })).roleId).toBe(roleId)
  })
})

describe('invite codes of an administrator', () => {
  it('come one or many at a time, each its own', async () => {
    const admin = await newAdmin()
    const one = await ok(createInviteCodes, { as: admin, json: {} })
    expect([one.count, one.inviteCodes.length]).toEqual([1, 1])
    const json = { quantity: 100, maxUses: 2, note: 'Class of 2026' }
    const many = await ok(createInviteCodes, { as: admin, json })
    expect(many.count).toBe(100)
    for (const field of ['id', 'code'] as const) {
      expect(new Set(many.inviteCodes.map((invite) => invite[field])).size).toBe(100)
    }
    const { email } = admin
    expect(many.inviteCodes[0]).toMatchObject({
      maxUses: 2,
      note: 'Class of 2026',
      state: 'active',
      byAdministrator: true,
      issuer: { id: admin.id, name: 'Ada', email },
    })
    const { inviteCodes } = await ok(listAllInviteCodes, { as: admin, query: { limit: 200 } })
    const listed = many.inviteCodes.map(({ code: _, ...invite }) => invite)
    expect(inviteCodes).toEqual(expect.arrayContaining(listed))
  })

  it('are each told of by an event, in one commit', async () => {
    const admin = await newAdmin()
    const { inviteCodes } = await ok(createInviteCodes, { as: admin, json: { quantity: 3 } })
    const log = await rows<{ commit_id: string; resource_id: string; content: string }>(
      "SELECT * FROM log_entries WHERE type = 'inviteCode.created' AND actor_id = ? ORDER BY number",
      admin.id,
    )
    expect(log.map((entry) => entry.resource_id)).toEqual(inviteCodes.map(({ id }) => id))
    expect(new Set(log.map((entry) => entry.commit_id)).size).toBe(1)
    for (const { content } of log) {
      expect(JSON.parse(content)).toMatchObject({ after: { maxUses: 1, byAdministrator: true } })
    }
    for (const { code } of inviteCodes) {
      expect(JSON.stringify(log)).not.toContain(code.slice(4))
    }
  })

  it.each([0, 101, 1.5, '2', null])('cannot be %s', async (quantity) => {
    const raw = { body: JSON.stringify({ quantity }) }
    const { status, error } = await call(createInviteCodes, { as: await newAdmin(), raw })
    expect([status, error.code, error.field]).toEqual([400, 'request.invalid', 'quantity'])
  })

  it.each([
    [{ expiresAt: inDays(-1) }, 'inviteCodes.invalidExpiry', 'expiresAt'],
    [{ groupRole: 'member' as const }, 'inviteCodes.roleNeedsGroup', 'groupRole'],
  ])('cannot have %j', async (json, code, field) => {
    const { status, error } = await call(createInviteCodes, { as: await newAdmin(), json })
    expect([status, error.code, error.field]).toEqual([400, code, field])
  })

  it('cannot be issued by others', async () => {
    expect((await call(createInviteCodes, { as: await newUser(), json: {} })).status).toBe(403)
  })

  it('can be issued while registration is closed', async () => {
    const closed = serviceWith({ env: { REGISTRATION: 'closed' } })
    const { status } = await closed.call(createInviteCodes, { as: await newAdmin(), json: {} })
    expect(status).toBe(201)
  })
})
