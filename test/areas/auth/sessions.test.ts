import { describe, expect, it } from 'vitest'
import type { z } from '@hono/zod-openapi'
import {
  getMe,
  login,
  logout,
  refreshToken,
  endSession,
  listSessions,
  logoutAll,
} from '../../../src/areas/identity/auth/auth.routes.ts'
import type { SessionsResponse } from '../../../src/areas/identity/auth/sessions/sessions.contract.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'
import { serviceWith } from '../../support/service.ts'
import { newUser, type TestUser } from '../../support/world.ts'
import { partsOf } from './tokens.ts'

type Sessions = z.infer<typeof SessionsResponse>
const DAY = 24 * 60 * 60 * 1000

const sessionOf = (principal: Principal) => String(partsOf(principal).claims['sid'])

type Tokens = { accessToken: string; refreshToken: string }

const signInAgain = async (
  { email, password }: TestUser,
  headers: Record<string, string> = {},
): Promise<Tokens> => {
  const service = serviceWith({ env: { CLIENT_IP_HEADER: 'CF-Connecting-IP' } })
  const json = { email, password }
  return (await service.call<Tokens>(login, { json, headers })).body
}

const alive = async (as: Principal) => (await call(getMe, { as })).status === 200

const logOf = (actor: TestUser, action: string) =>
  rows<{ resource_type: string; resource_id: string }>(
    'SELECT resource_type, resource_id FROM log_entries WHERE actor_id = ? AND type = ?',
    actor.id,
    action,
  )

describe('the list of sessions', () => {
  it('tells the device, the address and the times, and which one is asking', async () => {
    const me = await newUser()
    const phone = await signInAgain(me, {
      'User-Agent': 'Phone/1.0',
      'CF-Connecting-IP': '203.0.113.7',
    })
    const { status, body, headers } = await call(listSessions, { as: me })
    expect([status, body.count, body.nextCursor]).toEqual([200, 2, null])
    expect(headers.get('Server-Timing')).toContain('1 trips')
    expect(body.sessions.find(({ id }) => id === sessionOf(phone))).toMatchObject({
      userAgent: 'Phone/1.0',
      ip: '203.0.113.7',
      current: false,
    })
    const current = body.sessions.filter((session) => session.current)
    expect(current).toMatchObject([{ id: sessionOf(me) }])
    const [own] = current
    expect(Date.parse(own?.expiresAt ?? '') - Date.parse(own?.createdAt ?? '')).toBe(30 * DAY)
  })

  it('holds own live sessions only', async () => {
    const [me, other] = await Promise.all([newUser(), newUser()])
    const ended = await signInAgain(me)
    const idle = await signInAgain(me)
    await ok(logout, { as: ended })
    await rows('UPDATE sessions SET idle_expires_at = 1 WHERE id = ?', sessionOf(idle))
    const { sessions, count } = await ok(listSessions, { as: me })
    expect([sessions.map(({ id }) => id), count]).toEqual([[sessionOf(me)], 1])
    expect((await ok(listSessions, { as: other })).sessions).toHaveLength(1)
  })

  it('comes in pages, last used first', async () => {
    const me = await newUser()
    for (let at = 0; at < 4; at++) {
      await signInAgain(me)
    }
    const later = serviceWith({ ahead: DAY })
    await later.call(refreshToken, { json: { refreshToken: me.refreshToken } })
    const whole = await ok(listSessions, { as: me })
    expect(whole.sessions[0]?.id).toBe(sessionOf(me))
    const ids: string[] = []
    let cursor: string | null = ''
    do {
      const query: Record<string, string> = cursor === '' ? { limit: '2' } : { limit: '2', cursor }
      const page: Sessions = await ok(listSessions, { as: me, query })
      expect(page.count).toBe(5)
      ids.push(...page.sessions.map(({ id }) => id))
      cursor = page.nextCursor
    } while (cursor !== null)
    expect(ids).toEqual(whole.sessions.map(({ id }) => id))
  })

  it.each([
    ['limit', { limit: '201' }],
    ['limit', { limit: '0' }],
    ['cursor', { cursor: 'x' }],
    ['user', { user: 'usr_x' }],
  ])('refuses a wrong %s', async (field, query) => {
    const { status, error } = await call(listSessions, { as: await newUser(), query })
    expect([status, error.field]).toEqual([400, field])
  })
})

describe('ending one session', () => {
  it('stops its tokens at once, and no others', async () => {
    const me = await newUser()
    const lost = await signInAgain(me)
    const { status, headers } = await call(endSession, { as: me, id: sessionOf(lost) })
    expect(status).toBe(200)
    expect(headers.get('Server-Timing')).toContain('2 trips')
    expect([await alive(lost), await alive(me)]).toEqual([false, true])
    const json = { refreshToken: lost.refreshToken }
    expect((await call(refreshToken, { json })).status).toBe(401)
    expect(await logOf(me, 'session.revoked')).toEqual([
      { resource_type: 'session', resource_id: sessionOf(lost) },
    ])
  })

  it('may end the one that asks', async () => {
    const me = await newUser()
    await ok(endSession, { as: me, id: sessionOf(me) })
    expect(await alive(me)).toBe(false)
  })

  it("knows neither another user's session, nor an ended one, nor one that never was", async () => {
    const [me, other] = await Promise.all([newUser(), newUser()])
    const ended = await signInAgain(me)
    await ok(logout, { as: ended })
    for (const id of [sessionOf(other), sessionOf(ended), someId('ses')]) {
      const { status, error } = await call(endSession, { as: me, id })
      expect([status, error.code]).toEqual([404, 'auth.unknownSession'])
    }
    expect(await alive(other)).toBe(true)
    expect(await logOf(me, 'session.revoked')).toHaveLength(1)
  })
})

describe('signing out everywhere', () => {
  it('ends every session of the user and nobody else', async () => {
    const [me, other] = await Promise.all([newUser(), newUser()])
    const phone = await signInAgain(me)
    const { status, headers } = await call(logoutAll, { as: phone })
    expect(status).toBe(200)
    expect(headers.get('Server-Timing')).toContain('2 trips')
    expect([await alive(me), await alive(phone), await alive(other)]).toEqual([false, false, true])
    const json = { refreshToken: me.refreshToken }
    expect((await call(refreshToken, { json })).status).toBe(401)
    expect(await logOf(me, 'session.allRevoked')).toEqual([
      { resource_type: 'user', resource_id: me.id },
    ])
    const { email, password } = me
    expect((await call(login, { json: { email, password } })).status).toBe(200)
  })
})
