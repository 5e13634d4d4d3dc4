import { describe, expect, it } from 'vitest'
import {
  createInviteCodes,
  getInviteCode,
  listInviteCodeRedemptions,
  listAllInviteCodes,
  listInviteCodes,
  revokeAnyInviteCode,
  revokeInviteCode,
  updateInviteCode,
} from '../../../src/areas/identity/invites/invites.routes.ts'
import { inviteAdministrator } from '../../../src/areas/identity/invites/invites.usecases.ts'
import { call, ok, rows } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'
import { contextWith, serviceWith } from '../../support/service.ts'
import { newAdmin, newUser, type TestUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { inDays, join, logOf, newAdminInvite, newInvite } from './inviting.ts'

const MOMENT = 10 * 60 * 1000

/** One code in each state, by its state. */
async function oneOfEach(me: TestUser) {
  const [active, used, expired, revoked] = [
    await newInvite(me),
    await newInvite(me),
    await newInvite(me, { expiresAt: new Date(Date.now() + MOMENT).toISOString() }),
    await newInvite(me),
  ]
  await join(used.code)
  await ok(revokeInviteCode, { as: me, id: revoked.id })
  return { active, used, expired, revoked }
}

const later = serviceWith({ ahead: MOMENT })

describe('own invite codes', () => {
  it('are listed newest first, page by page, with their state and what is left of them', async () => {
    const me = await newUser()
    const codes = await oneOfEach(me)
    const { body } = await later.call<{ inviteCodes: { id: string; state: string }[] }>(
      listInviteCodes,
      { as: me },
    )
    expect(body).toMatchObject({ count: 4, nextCursor: null })
    expect(new Map(body.inviteCodes.map(({ id, state }) => [id, state]))).toEqual(
      new Map(Object.entries(codes).map(([state, { id }]) => [id, state])),
    )
    const ids = body.inviteCodes.map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted().toReversed())
    const pages: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: { inviteCodes: { id: string }[]; nextCursor: string | null } = await ok(
        listInviteCodes,
        { as: me, query: { limit: 3, ...(cursor && { cursor }) } },
      )
      pages.push(...page.inviteCodes.map(({ id }) => id))
      cursor = page.nextCursor
    }
    expect(pages).toEqual(ids)
  })

  it('are found by their state', async () => {
    const me = await newUser()
    const codes = await oneOfEach(me)
    await rows('UPDATE invite_codes SET expires_at = 1 WHERE id = ?', codes.expired.id)
    for (const [state, { id }] of Object.entries(codes)) {
      const { inviteCodes, count } = await ok(listInviteCodes, { as: me, query: { state } })
      expect([count, inviteCodes.map((one) => one.id)]).toEqual([1, [id]])
      const one = await ok(getInviteCode, { as: me, id })
      expect(one.state).toBe(state)
    }
    const cursor = (await ok(listInviteCodes, { as: me, query: { limit: 1 } })).nextCursor ?? ''
    const query = { limit: 1, cursor, state: 'active' }
    expect((await call(listInviteCodes, { as: me, query })).error.code).toBe(
      'request.invalidCursor',
    )
    for (const wrong of [{ state: 'dead' }, { limit: 0 }, { limit: 201 }, { page: 2 }]) {
      expect((await call(listInviteCodes, { as: me, query: wrong })).status).toBe(400)
    }
  })

  it('are revoked before they are used up, and used up before they are expired', async () => {
    const me = await newUser()
    const { id } = await newInvite(me)
    const stateAfter = async (sql: string) => {
      await rows(`UPDATE invite_codes SET ${sql} WHERE id = ?`, id)
      return (await ok(getInviteCode, { as: me, id })).state
    }
    expect(await stateAfter('expires_at = 1')).toBe('expired')
    expect(await stateAfter('uses = 1')).toBe('used')
    expect(await stateAfter('revoked_at = 1')).toBe('revoked')
  })

  it('are nobody else’s to see, change or revoke, not even an administrator’s by this way', async () => {
    const me = await newUser()
    const { id } = await newInvite(me)
    for (const as of [await newUser(), await newAdmin()]) {
      const answers = [
        await call(getInviteCode, { as, id }),
        await call(updateInviteCode, { as, id, json: { note: 'mine' } }),
        await call(revokeInviteCode, { as, id }),
        await call(listInviteCodeRedemptions, { as, id }),
      ]
      for (const { status, error } of answers) {
        expect([status, error.code]).toEqual([404, 'inviteCodes.notFound'])
      }
      expect((await ok(listInviteCodes, { as })).count).toBe(0)
    }
    expect(await ok(getInviteCode, { as: me, id })).toMatchObject({ state: 'active', version: 1 })
  })
})

describe('a change of an invite code', () => {
  it('touches what was sent', async () => {
    const me = await newUser()
    const { code: _, ...invite } = await newInvite(me, { note: 'before' })
    const expiresAt = inDays(30)
    const changed = await ok(updateInviteCode, { as: me, id: invite.id, json: { expiresAt } })
    const { updatedAt } = changed
    expect(changed).toEqual({ ...invite, expiresAt, version: 2, updatedAt })
    const json = { maxUses: 7, note: '' }
    expect(await ok(updateInviteCode, { as: me, id: invite.id, json })).toMatchObject({
      ...json,
      expiresAt,
      version: 3,
    })
    const read = await call(getInviteCode, { as: me, id: invite.id })
    expect(read.body).toMatchObject(json)
    const log = await logOf(invite.id)
    expect(log.map(({ type, content }) => [type, Object.keys(JSON.parse(content).after)])).toEqual([
      ['inviteCode.created', expect.arrayContaining(['maxUses', 'expiresAt', 'issuedBy'])],
      ['inviteCode.updated', ['expiresAt']],
      ['inviteCode.updated', ['maxUses', 'note']],
    ])
  })

  it('brings an expired or used up code back', async () => {
    const me = await newUser()
    const { id, code } = await newInvite(me)
    await join(code)
    const more = await ok(updateInviteCode, { as: me, id, json: { maxUses: 2 } })
    expect([more.uses, more.maxUses, more.state]).toEqual([1, 2, 'active'])
    await rows('UPDATE invite_codes SET expires_at = 1 WHERE id = ?', id)
    const longer = await ok(updateInviteCode, { as: me, id, json: { expiresAt: inDays(1) } })
    expect(longer.state).toBe('active')
    expect((await join(code)).status).toBe(201)
  })

  it('gives no role to more people than the caller could give it to', async () => {
    const admin = await newAdmin()
    const { id } = await newInvite(admin, { roleId: 'rol_admin' })
    const as = await giveToken(admin, ['inviteCodes.write'])
    const { status, error } = await call(updateInviteCode, { as, id, json: { maxUses: 2 } })
    expect([status, error.code]).toEqual([403, 'inviteCodes.roleNotGrantable'])
    expect((await ok(updateInviteCode, { as: admin, id, json: { maxUses: 2 } })).maxUses).toBe(2)
    expect((await call(revokeInviteCode, { as, id })).status).toBe(200)
  })

  it('leaves no fewer uses than there were, also when one comes in between', async () => {
    const me = await newUser()
    const { id, code } = await newInvite(me, { maxUses: 3 })
    await join(code)
    await join(code)
    const fewer = await call(updateInviteCode, { as: me, id, json: { maxUses: 1 } })
    expect([fewer.status, fewer.error.code, fewer.error.field]).toEqual([
      409,
      'inviteCodes.fewerThanUsed',
      'maxUses',
    ])
    const service = serviceWith({ meanwhile: () => join(code) })
    const late = await service.call(updateInviteCode, { as: me, id, json: { maxUses: 2 } })
    expect([late.status, late.error.code]).toEqual([409, 'inviteCodes.fewerThanUsed'])
    const same = await ok(updateInviteCode, { as: me, id, json: { maxUses: 3 } })
    expect([same.uses, same.maxUses, same.state]).toEqual([3, 3, 'used'])
  })

  it.each([
    ['no uses', { maxUses: 0 }, 'request.invalid', 'maxUses'],
    ['1001 uses', { maxUses: 1001 }, 'request.invalid', 'maxUses'],
    ['the past', { expiresAt: inDays(-1) }, 'inviteCodes.invalidExpiry', 'expiresAt'],
    ['a far future', { expiresAt: inDays(370) }, 'inviteCodes.invalidExpiry', 'expiresAt'],
    ['no end', { expiresAt: null }, 'request.invalid', 'expiresAt'],
    ['a long note', { note: 'x'.repeat(201) }, 'request.invalid', 'note'],
    ['another role', { roleId: 'rol_user' }, 'request.invalid', 'roleId'],
    ['uses', { uses: 0 }, 'request.invalid', 'uses'],
  ])('cannot be to %s', async (_, json, code, field) => {
    const as = await newUser()
    const { id } = await newInvite(as)
    const raw = { body: JSON.stringify(json) }
    const { status, error } = await call(updateInviteCode, { as, id, raw })
    expect([status, error.code, error.field]).toEqual([400, code, field])
    expect((await ok(getInviteCode, { as, id })).version).toBe(1)
  })

  it('is refused where If-Match names another version, and so is revoking', async () => {
    const as = await newUser()
    const { id } = await newInvite(as)
    const first = await call(getInviteCode, { as, id })
    const headers = { 'If-Match': first.headers.get('ETag') ?? '' }
    const known = { 'If-None-Match': first.headers.get('ETag') ?? '' }
    expect((await call(getInviteCode, { as, id, headers: known })).status).toBe(304)
    await ok(updateInviteCode, { as, id, json: { note: 'x' }, headers })
    const statuses = [
      (await call(updateInviteCode, { as, id, json: { note: 'y' }, headers })).status,
      (await call(revokeInviteCode, { as, id, headers })).status,
    ]
    expect(statuses).toEqual([412, 412])
    const others = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        call(updateInviteCode, {
          as,
          id,
          json: { note: `${at}` },
          headers: { 'If-Match': '"2-x"' },
        }),
      ),
    )
    expect(others.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

describe('revoking an invite code', () => {
  it('keeps it in sight, and who has joined with it', async () => {
    const me = await newUser()
    const { id, code } = await newInvite(me, { maxUses: 2 })
    const { body } = await join(code)
    await ok(revokeInviteCode, { as: me, id })
    expect(await ok(getInviteCode, { as: me, id })).toMatchObject({ state: 'revoked', uses: 1 })
    expect((await ok(listInviteCodeRedemptions, { as: me, id })).count).toBe(1)
    expect((await ok(listInviteCodes, { as: body })).count).toBe(0)
    expect((await join(code)).error.code).toBe('auth.invalidInvite')
  })

  it('may be asked for twice, and happens once', async () => {
    const me = await newUser()
    const { id } = await newInvite(me)
    for (let at = 0; at < 2; at++) {
      expect((await call(revokeInviteCode, { as: me, id })).status).toBe(200)
    }
    expect((await ok(getInviteCode, { as: me, id })).version).toBe(2)
    const log = await logOf(id)
    expect(log.slice(1).map(({ type, content }) => [type, JSON.parse(content)])).toEqual([
      ['inviteCode.revoked', { before: { state: 'active' }, after: { state: 'revoked' } }],
    ])
  })

  it('stops a registration that has begun already', async () => {
    const me = await newUser()
    const { id, code } = await newInvite(me)
    const service = serviceWith({ meanwhile: () => ok(revokeInviteCode, { as: me, id }) })
    const { status, error } = await join(code, service)
    expect([status, error.code]).toEqual([400, 'auth.invalidInvite'])
    expect((await ok(getInviteCode, { as: me, id })).uses).toBe(0)
  })
})

describe('the redemptions of an invite code', () => {
  it('tell who has joined and when, latest first, page by page', async () => {
    const me = await newUser()
    const { id, code } = await newInvite(me, { maxUses: 3 })
    for (let at = 0; at < 3; at++) {
      const { body } = await join(code)
      await rows("UPDATE users SET name = 'Guest ' || ? WHERE id = ?", at, body.user.id)
      await rows(
        'UPDATE invite_redemptions SET redeemed_at = ? WHERE user_id = ?',
        at,
        body.user.id,
      )
    }
    const all = await ok(listInviteCodeRedemptions, { as: me, id })
    expect(all).toEqual({
      redemptions: [2, 1, 0].map((at) => ({
        name: `Guest ${at}.0`,
        redeemedAt: new Date(at).toISOString(),
      })),
      count: 3,
      nextCursor: null,
    })
    const first = await ok(listInviteCodeRedemptions, { as: me, id, query: { limit: 2 } })
    const cursor = first.nextCursor ?? ''
    const second = await ok(listInviteCodeRedemptions, { as: me, id, query: { limit: 2, cursor } })
    expect([...first.redemptions, ...second.redemptions]).toEqual(all.redemptions)
    expect([first.count, second.nextCursor]).toEqual([3, null])
  })

  it('are none where nobody came', async () => {
    const me = await newUser()
    const { id } = await newInvite(me)
    expect(await ok(listInviteCodeRedemptions, { as: me, id })).toEqual({
      redemptions: [],
      count: 0,
      nextCursor: null,
    })
  })
})

describe('the invite codes of everybody', () => {
  it('are listed with who issued them, the operator’s too', async () => {
    const admin = await newAdmin()
    const [me, own] = [await newUser(), await newAdminInvite(admin)]
    const ofUser = await newInvite(me, { note: 'private' })
    await inviteAdministrator(contextWith())
    const { inviteCodes } = await ok(listAllInviteCodes, { as: admin, query: { limit: 200 } })
    const byOperator = inviteCodes.find(
      ({ issuer, roleId }) => issuer === null && roleId === 'rol_admin',
    )
    expect(byOperator).toMatchObject({
      codePrefix: expect.stringMatching(/^inc_[\w-]{4}$/),
      roleId: 'rol_admin',
      maxUses: 1,
      note: '',
      byAdministrator: true,
      state: 'active',
      version: 1,
    })
    expect(inviteCodes.find(({ id }) => id === ofUser.id)).toMatchObject({
      issuer: { id: me.id, name: 'Ada', email: me.email },
      byAdministrator: false,
      note: 'private',
    })
    expect(inviteCodes.find(({ id }) => id === own.id)).toMatchObject({
      issuer: { id: admin.id },
      byAdministrator: true,
    })
  })

  it('are found by their state', async () => {
    const admin = await newAdmin()
    const { revoked, active } = await oneOfEach(await newUser())
    const query = { state: 'revoked', limit: 200 }
    const { inviteCodes, count } = await ok(listAllInviteCodes, { as: admin, query })
    const ids = inviteCodes.map(({ id }) => id)
    expect(ids).toContain(revoked.id)
    expect(ids).not.toContain(active.id)
    expect(count).toBe(inviteCodes.length)
  })

  it('can be revoked by an administrator, with the issuer in the log', async () => {
    const [admin, me] = [await newAdmin(), await newUser()]
    const { id, code } = await newInvite(me)
    const stale = { 'If-Match': '"9-x"' }
    expect((await call(revokeAnyInviteCode, { as: admin, id, headers: stale })).status).toBe(412)
    await ok(revokeAnyInviteCode, { as: admin, id })
    expect((await ok(getInviteCode, { as: me, id })).state).toBe('revoked')
    expect((await join(code)).error.code).toBe('auth.invalidInvite')
    const [, revoked] = await logOf(id)
    expect(revoked).toMatchObject({
      type: 'inviteCode.revoked',
      actor_id: admin.id,
      owner_id: me.id,
    })
    const again = await call(revokeAnyInviteCode, { as: admin, id: someId('inv') })
    expect([again.status, again.error.code]).toEqual([404, 'inviteCodes.notFound'])
  })

  it('are hidden from whoever is no administrator', async () => {
    const as = await newUser()
    const { id } = await newInvite(as)
    const statuses = [
      (await call(listAllInviteCodes, { as })).status,
      (await call(createInviteCodes, { as, json: {} })).status,
      (await call(revokeAnyInviteCode, { as, id })).status,
    ]
    expect(statuses).toEqual([403, 403, 403])
  })
})
