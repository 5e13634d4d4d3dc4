import { describe, expect, it } from 'vitest'
import { login } from '../../../src/areas/identity/auth/auth.routes.ts'
import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import {
  deleteOwnUser,
  getProfile,
  restoreOwnUser,
  updateProfile,
} from '../../../src/areas/data-rights/own-user/own-user.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newAdmin, newUser, type TestUser } from '../../support/world.ts'
import { serviceWithMail } from '../auth/mails.ts'

const DAY = 24 * 60 * 60 * 1000

const leave = (as: TestUser, password: string | undefined = as.password) =>
  call(deleteOwnUser, { as, json: password === undefined ? {} : { password } })

const dueOf = async (as: TestUser) => (await ok(getProfile, { as })).deletionDueAt

describe('deleting oneself', () => {
  it('is scheduled for 30 days later, and told by mail with the way back', async () => {
    const me = await newUser()
    const service = serviceWithMail()
    const { status, body, headers } = await service.call<{
      deletionDueAt: string
      version: number
    }>(deleteOwnUser, { as: me, json: { password: me.password } })
    expect([status, body.version]).toEqual([202, 2])
    expect(headers.get('Server-Timing')).toContain('2 trips')
    const days = (Date.parse(body.deletionDueAt) - Date.now()) / DAY
    expect(days).toBeCloseTo(30, 2)
    expect(await service.letters()).toMatchObject([
      {
        to: me.email,
        subject: 'Your Coffer account will be deleted',
        text: expect.stringMatching(/on \d{4}-\d\d-\d\d \d\d:\d\d \(UTC\)[\s\S]*undo/),
      },
    ])
    expect(await dueOf(me)).toBe(body.deletionDueAt)
  })

  it('is scheduled for as many days later as administrators have set', async () => {
    const me = await newUser()
    await rows(
      "INSERT INTO settings VALUES ('deletionGraceDays', '3', 1) ON CONFLICT DO UPDATE SET value = '3'",
    )
    const { body } = await leave(me)
    await rows("DELETE FROM settings WHERE key = 'deletionGraceDays'")
    const days = (Date.parse(body.deletionDueAt ?? '') - Date.now()) / DAY
    expect(days).toBeCloseTo(3, 2)
  })

  it('ends all other sessions and every access token, and leaves the rest as it was', async () => {
    const [me, other] = [await newUser(), await newUser()]
    const { email, password } = me
    const phone = await serviceWith({}).call<{ accessToken: string }>(login, {
      json: { email, password },
    })
    const { token } = await ok(createAccessToken, {
      as: me,
      json: { name: 'Sheet', scopes: ['read'] },
    })
    expect((await leave(me)).status).toBe(202)
    for (const as of [phone.body, { accessToken: token }]) {
      expect((await call(getProfile, { as })).status).toBe(401)
    }
    const again = await serviceWith({}).call<TestUser>(login, { json: { email, password } })
    expect(again.status).toBe(200)
    await newAccount(again.body)
    expect(await dueOf(other)).toBe(null)
  })

  it('needs the password, and counts who does not know it', async () => {
    const [me, other] = [await newUser(), await newUser()]
    // Without a password nothing was tried.
    for (let at = 0; at <= 10; at++) {
      const given = at === 0 ? {} : { password: other.password }
      const { status, error } = await call(deleteOwnUser, { as: me, json: given })
      expect([status, error.code, error.field]).toEqual([400, 'auth.wrongPassword', 'password'])
    }
    const right = await leave(me)
    expect([right.status, right.error.code]).toEqual([429, 'request.limited'])
    expect(right.headers.has('Retry-After')).toBe(true)
    expect(await dueOf(me)).toBe(null)
  })

  it('needs a sign-in of just now of who has no password, and does not take one for right', async () => {
    const me = await newUser()
    await rows('UPDATE users SET password_hash = NULL WHERE id = ?', me.id)
    const late = serviceWith({ ahead: 11 * 60_000 })
    const stolen = await late.call(deleteOwnUser, { as: me, json: {} })
    expect([stolen.status, stolen.error.code]).toEqual([403, 'auth.proofNeeded'])
    const guessed = await leave(me)
    expect([guessed.status, guessed.error.code]).toEqual([400, 'auth.wrongPassword'])
    expect((await call(deleteOwnUser, { as: me, json: {} })).status).toBe(202)
  })

  it('is refused when the password was changed between comparing and storing', async () => {
    const me = await newUser()
    const slow = serviceWith({
      meanwhile: () => rows("UPDATE users SET password_hash = 'x' WHERE id = ?", me.id),
    })
    const late = await slow.call(deleteOwnUser, { as: me, json: { password: me.password } })
    expect([late.status, late.error.code]).toEqual([400, 'auth.wrongPassword'])
    expect(await dueOf(me)).toBe(null)
  })

  it('is scheduled once, however many ask at the same moment', async () => {
    const me = await newUser()
    const answers = await Promise.all(Array.from({ length: 5 }, () => leave(me)))
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(4)
    const again = await leave(me)
    expect([again.status, again.error.code]).toEqual([409, 'user.deletionScheduled'])
  })

  it('is refused over a version that If-Match does not name', async () => {
    const me = await newUser()
    const { headers } = await call(getProfile, { as: me })
    await ok(updateProfile, { as: me, json: { name: 'Countess' } })
    const json = { password: me.password }
    const ifMatch = { 'If-Match': headers.get('ETag') ?? '' }
    // A wrong password is not looked at, and counts as no try.
    for (const sent of [json, { password: 'wrong' }]) {
      const { status, error } = await call(deleteOwnUser, { as: me, json: sent, headers: ifMatch })
      expect([status, error.code]).toEqual([412, 'request.stale'])
    }
    expect(
      await rows(
        "SELECT 1 FROM log_entries WHERE actor_id = ? AND type = 'password.refused'",
        me.id,
      ),
    ).toEqual([])
    expect((await call(deleteOwnUser, { as: me, json: { password: 'wrong' } })).status).toBe(400)
  })

  it('is not a thing of access tokens', async () => {
    const me = await newUser()
    const { token } = await ok(createAccessToken, {
      as: me,
      json: { name: 'Sheet', scopes: ['read', 'preferences.write'] },
    })
    const as = { accessToken: token }
    const json = { password: me.password }
    expect((await call(deleteOwnUser, { as, json })).status).toBe(403)
    expect((await call(restoreOwnUser, { as })).status).toBe(403)
  })

  it.each([
    [{ password: 1 }, 'password'],
    [{ password: 'x', when: 'now' }, 'when'],
  ])('refuses %j', async (json, field) => {
    const raw = { body: JSON.stringify(json) }
    const { status, error } = await call(deleteOwnUser, { as: await newUser(), raw })
    expect([status, error.field]).toEqual([400, field])
  })
})

/** Makes these the only administrators in office while it runs: the others are on their way out. */
async function alone(admins: TestUser[], run: () => Promise<void>): Promise<void> {
  const others = await rows<{ id: string }>(
    `SELECT u.id FROM users u JOIN user_roles ur ON ur.user_id = u.id
      WHERE ur.role_id = 'rol_admin' AND u.deletion_due_at IS NULL
        AND u.id NOT IN (SELECT value FROM json_each(?))`,
    JSON.stringify(admins.map(({ id }) => id)),
  )
  const setDue = async (deletionDueAt: number | null) => {
    await rows(
      'UPDATE users SET deletion_due_at = ? WHERE id IN (SELECT value FROM json_each(?))',
      deletionDueAt,
      JSON.stringify(others.map(({ id }) => id)),
    )
  }
  await setDue(9e12)
  try {
    await run()
  } finally {
    await setDue(null)
  }
}

describe('the last administrator', () => {
  it('stays, also when two try to leave at the same moment', async () => {
    const [one, two] = [await newAdmin(), await newAdmin()]
    await alone([one, two], async () => {
      const answers = await Promise.all([leave(one), leave(two)])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409])
      const refused = answers.find(({ status }) => status === 409)
      expect(refused?.error.code).toBe('user.lastAdministrator')
    })
  })
})

describe('staying after all', () => {
  it('takes the deletion back', async () => {
    const me = await newUser()
    await leave(me)
    const { body, status } = await call(restoreOwnUser, { as: me })
    expect([status, body.deletionDueAt, body.version]).toEqual([200, null, 3])
    expect(await dueOf(me)).toBe(null)
    const again = await call(restoreOwnUser, { as: me })
    expect([again.status, again.error.code]).toEqual([409, 'user.deletionNotScheduled'])
    expect((await leave(me)).status).toBe(202)
  })

  it('answers a repeated request with the same key the same', async () => {
    const me = await newUser()
    await leave(me)
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const first = await call(restoreOwnUser, { as: me, headers })
    expect(await call(restoreOwnUser, { as: me, headers })).toMatchObject({
      status: 200,
      text: first.text,
    })
  })

  it('happens once, however many ask at the same moment', async () => {
    const me = await newUser()
    await leave(me)
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => call(restoreOwnUser, { as: me })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(4)
  })
})
