import { describe, expect, it } from 'vitest'
import { deleteAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  getPreferences,
  updatePreferences,
} from '../../../src/areas/data-rights/own-user/own-user.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'

const DEFAULTS = {
  weekStart: 'monday',
  periodStartDay: 1,
  numberFormat: 'locale',
  dateFormat: 'locale',
  defaultAccountId: null,
  hideAmounts: false,
}

const storedOf = async ({ id }: TestUser) => {
  const found = await rows<{ chosen: string }>(
    'SELECT chosen FROM user_preferences WHERE user_id = ?',
    id,
  )
  return found.map(({ chosen }) => JSON.parse(chosen))
}

describe('preferences', () => {
  it('are there by default, without a row', async () => {
    const me = await newUser()
    const { status, body, headers } = await call(getPreferences, { as: me })
    expect([status, body]).toMatchObject([200, { ...DEFAULTS, version: 1 }])
    expect(headers.get('ETag')).toMatch(/^"1-/)
    expect(await storedOf(me)).toEqual([])
  })

  it('are merged with what is sent, and only what differs from the default is stored', async () => {
    const [me, other] = [await newUser(), await newUser()]
    const first = await ok(updatePreferences, {
      as: me,
      json: { weekStart: 'sunday', periodStartDay: 25, hideAmounts: false },
    })
    expect(first).toMatchObject({
      ...DEFAULTS,
      weekStart: 'sunday',
      periodStartDay: 25,
      version: 2,
    })
    expect(await storedOf(me)).toEqual([{ weekStart: 'sunday', periodStartDay: 25 }])
    const second = await ok(updatePreferences, {
      as: me,
      json: { dateFormat: 'yyyy-MM-dd', weekStart: 'monday' },
    })
    expect(second).toMatchObject({ periodStartDay: 25, dateFormat: 'yyyy-MM-dd', version: 3 })
    expect(second.createdAt).toBe(first.createdAt)
    expect(await storedOf(me)).toEqual([{ periodStartDay: 25, dateFormat: 'yyyy-MM-dd' }])
    expect(await ok(getPreferences, { as: me })).toEqual(second)
    expect(await ok(getPreferences, { as: other })).toMatchObject({ ...DEFAULTS, version: 1 })
  })

  it('say for each kind of notifications how the user is told', async () => {
    const me = await newUser()
    const { notifications: usual } = await ok(getPreferences, { as: me })
    expect(new Set(Object.values(usual))).toEqual(new Set(['app']))
    const change = async (notifications: object | null) =>
      (await ok(updatePreferences, { as: me, json: { notifications: notifications as never } }))
        .notifications
    const first = { 'account.balanceLow': 'mail', 'recurring.due': 'off', 'export.made': 'app' }
    expect(await change(first)).toEqual({ ...usual, ...first })
    expect(await change({ 'recurring.due': null })).toEqual({
      ...usual,
      'account.balanceLow': 'mail',
    })
    expect(await storedOf(me)).toEqual([{ notifications: { 'account.balanceLow': 'mail' } }])
    expect(await change(null)).toEqual(usual)
    expect(await storedOf(me)).toEqual([{}])
    for (const notifications of [{ other: 'app' }, { 'export.made': 'post' }]) {
      const json = { notifications: notifications as never }
      expect((await call(updatePreferences, { as: me, json })).status).toBe(400)
    }
  })

  it('go back to their default by null', async () => {
    const me = await newUser()
    const { id } = await newAccount(me)
    const json = { numberFormat: 'indian', hideAmounts: true, defaultAccountId: id } as const
    expect(await ok(updatePreferences, { as: me, json })).toMatchObject(json)
    const none = { numberFormat: null, hideAmounts: null, defaultAccountId: null }
    expect(await ok(updatePreferences, { as: me, json: none })).toMatchObject(DEFAULTS)
    expect(await storedOf(me)).toEqual([{}])
  })

  it.each([
    [{ weekStart: 'Monday' }, 'weekStart'],
    [{ periodStartDay: 0 }, 'periodStartDay'],
    [{ periodStartDay: 29 }, 'periodStartDay'],
    [{ periodStartDay: 1.5 }, 'periodStartDay'],
    [{ numberFormat: 'other' }, 'numberFormat'],
    [{ dateFormat: 'dd.mm.yy' }, 'dateFormat'],
    [{ hideAmounts: 'yes' }, 'hideAmounts'],
    [{ defaultAccountId: '' }, 'defaultAccountId'],
    [{ theme: 'dark' }, 'theme'],
    [{ version: 1 }, 'version'],
  ])('refuse %j', async (json, field) => {
    const raw = { body: JSON.stringify(json) }
    const { status, error } = await call(updatePreferences, { as: await newUser(), raw })
    expect([status, error.code, error.field]).toEqual([400, 'request.invalid', field])
  })

  it('leave both images of what changed in the log', async () => {
    const me = await newUser()
    await ok(updatePreferences, { as: me, json: { weekStart: 'friday', hideAmounts: null } })
    const logged = await rows<{ content: string }>(
      "SELECT content FROM log_entries WHERE owner_id = ? AND type = 'preferences.updated'",
      me.id,
    )
    expect(logged.map(({ content }) => JSON.parse(content))).toEqual([
      { before: { weekStart: 'monday' }, after: { weekStart: 'friday' } },
    ])
  })

  it('are chosen for the first time once, however many do so at the same moment', async () => {
    const me = await newUser()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        call(updatePreferences, { as: me, json: { periodStartDay: at + 2 } }),
      ),
    )
    const done = answers.filter(({ status }) => status === 200)
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
    const now = await ok(getPreferences, { as: me })
    expect(now.version).toBe(1 + done.length)
    expect(await storedOf(me)).toHaveLength(1)
  })

  it('are not changed over a version that If-Match does not name', async () => {
    const me = await newUser()
    const { headers } = await call(getPreferences, { as: me })
    const ifMatch = { 'If-Match': headers.get('ETag') ?? '' }
    await ok(updatePreferences, { as: me, json: { hideAmounts: true }, headers: ifMatch })
    const json = { hideAmounts: false }
    const late = await call(updatePreferences, { as: me, json, headers: ifMatch })
    expect([late.status, late.error.code]).toEqual([412, 'request.stale'])
    expect((await ok(getPreferences, { as: me })).hideAmounts).toBe(true)
  })
})

describe('the default account', () => {
  const chosen = (as: TestUser, defaultAccountId: string) =>
    call(updatePreferences, { as, json: { defaultAccountId } })

  it('is one that the caller sees', async () => {
    const [me, other] = [await newUser(), await newUser()]
    const foreign = await newAccount(other)
    for (const id of [foreign.id, 'acc_missing']) {
      const { status, error } = await chosen(me, id)
      expect([status, error.code, error.field]).toEqual([
        400,
        'user.unknownAccount',
        'defaultAccountId',
      ])
    }
    expect(await storedOf(me)).toEqual([])
  })

  it('is none any more when the account is deleted', async () => {
    const me = await newUser()
    const { id } = await newAccount(me)
    expect((await chosen(me, id)).body.defaultAccountId).toBe(id)
    await ok(deleteAccount, { as: me, id })
    expect((await ok(getPreferences, { as: me })).defaultAccountId).toBe(null)
  })

  it('is not one that was deleted between looking and choosing', async () => {
    const me = await newUser()
    const { id } = await newAccount(me)
    const slow = serviceWith({ meanwhile: () => ok(deleteAccount, { as: me, id }) })
    const late = await slow.call(updatePreferences, { as: me, json: { defaultAccountId: id } })
    expect([late.status, late.error.code]).toEqual([400, 'user.unknownAccount'])
    expect(await storedOf(me)).toEqual([])
  })
})
