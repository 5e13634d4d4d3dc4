import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  getRegistrationPolicy,
  register as registerRoute,
} from '../../../src/areas/identity/auth/auth.routes.ts'
import { createInviteCode } from '../../../src/areas/identity/invites/invites.routes.ts'
import { settingToRead } from '../../../src/areas/identity/settings/settings.public.ts'
import {
  getSettings,
  updateSettings,
} from '../../../src/areas/identity/settings/settings.routes.ts'
import { read } from '../../../src/platform/database/database.ts'
import { call, ok, rows } from '../../support/api.ts'
import { contextWith, serviceWith } from '../../support/service.ts'
import { newAdmin, newUser, type TestUser } from '../../support/world.ts'

// Settings are everybody's, so nothing is chosen here that would disturb a test beside this one.
const closed = serviceWith({ env: { REGISTRATION: 'closed' } })

const person = () => ({
  email: `new-${crypto.randomUUID()}@coffer.test`,
  password: 'seven green bottles',
  name: 'Ada',
})

const chooseNothing = () => rows('DELETE FROM settings')

let admin: TestUser
beforeEach(async () => {
  await chooseNothing()
  admin = await newAdmin()
})
afterEach(chooseNothing)

const choose = (json: { registration?: 'open' | null; deletionGraceDays?: number | null }) =>
  ok(updateSettings, { as: admin, json })

describe('the settings', () => {
  it('tell what holds, what else would, and who says so', async () => {
    const { status, body } = await closed.call(getSettings, { as: admin })
    const registration = { key: 'registration', value: 'closed', default: 'closed' }
    const grace = { key: 'deletionGraceDays', value: 30, default: 30, source: 'default' }
    const described = { description: expect.stringMatching(/\.$/) }
    expect([status, body]).toEqual([
      200,
      {
        settings: [
          { ...registration, source: 'environment', ...described },
          { ...grace, ...described },
        ],
        count: 2,
        version: 0,
      },
    ])
    const { settings } = await ok(getSettings, { as: admin })
    expect(settings[0]).toMatchObject({ value: 'open', default: 'open', source: 'default' })
  })

  it('are an administrator’s to choose, before configuration and code', async () => {
    const changed = await closed.call<{ settings: object[] }>(updateSettings, {
      as: admin,
      json: { registration: 'open', deletionGraceDays: 14 },
    })
    expect(changed.status).toBe(200)
    expect(changed.body.settings).toMatchObject([
      { key: 'registration', value: 'open', default: 'closed', source: 'administrator' },
      { key: 'deletionGraceDays', value: 14, default: 30, source: 'administrator' },
    ])
    const seen = await closed.call(getSettings, { as: admin })
    expect(seen.body).toEqual(changed.body)
    expect(seen.headers.get('ETag')).toBe(changed.headers.get('ETag'))
  })

  it('stay as they are where nothing is sent, and null takes a choice back', async () => {
    await choose({ registration: 'open', deletionGraceDays: 1 })
    await choose({ deletionGraceDays: 90 })
    const { settings } = await choose({ registration: null })
    expect(settings.map(({ value, source }) => [value, source])).toEqual([
      ['open', 'default'],
      [90, 'administrator'],
    ])
  })

  it('can be read by whatever needs them', async () => {
    const ctx = contextWith()
    const days = async () => (await read(ctx, settingToRead(ctx, 'deletionGraceDays')))[0]
    expect(await days()).toEqual([{ value: 30 }])
    await choose({ deletionGraceDays: 7 })
    expect(await days()).toEqual([{ value: 7 }])
    await choose({ deletionGraceDays: null })
    expect(await days()).toEqual([{ value: 30 }])
  })

  it.each([
    ['nothing', {}, undefined],
    ['an unknown key', { passwordCost: 1 }, 'passwordCost'],
    ['a word of all objects', { constructor: 1 }, 'constructor'],
    ['an unknown policy', { registration: 'ajar' }, 'registration'],
    ['a policy in other case', { registration: 'Open' }, 'registration'],
    ['a number for a policy', { registration: 1 }, 'registration'],
    ['no days', { deletionGraceDays: 0 }, 'deletionGraceDays'],
    ['91 days', { deletionGraceDays: 91 }, 'deletionGraceDays'],
    ['half a day', { deletionGraceDays: 1.5 }, 'deletionGraceDays'],
    ['text for days', { deletionGraceDays: '30' }, 'deletionGraceDays'],
    ['a list', [], undefined],
  ])('refuse %s', async (_, json, field) => {
    const raw = { body: JSON.stringify(json) }
    const { status, error } = await call(updateSettings, { as: admin, raw })
    expect([status, error.code, error.field]).toEqual([400, 'request.invalid', field])
    expect(await rows('SELECT * FROM settings')).toEqual([])
  })

  it('are not for everybody to see or to change', async () => {
    const as = await newUser()
    const seen = await call(getSettings, { as })
    const changed = await call(updateSettings, { as, json: { deletionGraceDays: 1 } })
    expect([seen.status, changed.status]).toEqual([403, 403])
    expect(await rows('SELECT * FROM settings')).toEqual([])
  })

  it('write both images of each choice into the log', async () => {
    await choose({ registration: 'open', deletionGraceDays: 14 })
    await choose({ deletionGraceDays: null })
    const log = await rows<{ type: string; content: string }>(
      "SELECT type, content FROM log_entries WHERE resource_type = 'settings' AND actor_id = ? ORDER BY number",
      admin.id,
    )
    expect(log.map(({ type, content }) => [type, JSON.parse(content)])).toEqual([
      ['settings.updated', { before: {}, after: { registration: 'open', deletionGraceDays: 14 } }],
      [
        'settings.updated',
        { before: { deletionGraceDays: 14 }, after: { deletionGraceDays: null } },
      ],
    ])
  })
})

describe('a change of settings', () => {
  it('is refused where If-Match names another version', async () => {
    const first = await call(updateSettings, { as: admin, json: { deletionGraceDays: 2 } })
    const headers = { 'If-Match': first.headers.get('ETag') ?? '' }
    const json = { deletionGraceDays: null }
    expect((await call(updateSettings, { as: admin, json, headers })).status).toBe(200)
    const late = await call(updateSettings, { as: admin, json, headers })
    expect([late.status, late.error.code]).toEqual([412, 'request.stale'])
  })

  it('loses none of a parallel one', async () => {
    const headers = {
      'If-Match': (await call(getSettings, { as: admin })).headers.get('ETag') ?? '',
    }
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        call(updateSettings, { as: admin, json: { deletionGraceDays: at + 1 }, headers }),
      ),
    )
    const statuses = answers.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 412)])
  })

  it('is refused when another one comes between its reading and its writing', async () => {
    const service = serviceWith({ meanwhile: () => choose({ deletionGraceDays: 3 }) })
    const { status, error } = await service.call(updateSettings, {
      as: admin,
      json: { deletionGraceDays: 4 },
    })
    expect([status, error.code]).toEqual([409, 'request.conflict'])
    expect((await ok(getSettings, { as: admin })).settings[1]?.value).toBe(3)
  })
})

describe('the registration policy', () => {
  const register = () => closed.call(registerRoute, { json: person() })
  const mode = async () => (await closed.call<{ mode: string }>(getRegistrationPolicy)).body.mode

  it('holds from the next request on', async () => {
    expect([(await register()).status, await mode()]).toEqual([403, 'closed'])
    await choose({ registration: 'open' })
    expect([(await register()).status, await mode()]).toEqual([201, 'open'])
    await choose({ registration: null })
    expect([(await register()).status, await mode()]).toEqual([403, 'closed'])
  })

  it('stops a registration with a user’s code that has begun already', async () => {
    await choose({ registration: 'open' })
    const { code: inviteCode, id } = await ok(createInviteCode, { as: admin, json: {} })
    const service = serviceWith({
      env: { REGISTRATION: 'closed' },
      meanwhile: () => choose({ registration: null }),
    })
    const json = { ...person(), inviteCode }
    const { status, error } = await service.call(registerRoute, { json })
    expect([status, error.code]).toEqual([400, 'auth.invalidInvite'])
    expect(await rows('SELECT uses FROM invite_codes WHERE id = ?', id)).toEqual([{ uses: 0 }])
  })

  it('stops the issue of a code that has begun already', async () => {
    await choose({ registration: 'open' })
    const service = serviceWith({
      env: { REGISTRATION: 'closed' },
      meanwhile: () => choose({ registration: null }),
    })
    const { status, error } = await service.call(createInviteCode, { as: admin, json: {} })
    expect([status, error.code]).toEqual([403, 'inviteCodes.registrationClosed'])
  })

  it('stops a registration that has begun already', async () => {
    await choose({ registration: 'open' })
    const service = serviceWith({
      env: { REGISTRATION: 'closed' },
      meanwhile: () => choose({ registration: null }),
    })
    const json = person()
    const { status, error } = await service.call(registerRoute, { json })
    expect([status, error.code]).toEqual([403, 'auth.inviteRequired'])
    expect(await rows('SELECT id FROM users WHERE email = ?', json.email)).toEqual([])
  })
})
