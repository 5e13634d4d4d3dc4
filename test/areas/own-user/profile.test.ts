import { describe, expect, it } from 'vitest'
import { getMe } from '../../../src/areas/identity/auth/auth.routes.ts'
import {
  getProfile,
  updateProfile,
} from '../../../src/areas/data-rights/own-user/own-user.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newUser } from '../../support/world.ts'

describe('the own profile', () => {
  it('is what GET /auth/me tells, and whether the user is to be erased', async () => {
    const me = await newUser({ name: 'Ada' })
    const { token: _token, ...known } = await ok(getMe, { as: me })
    const { status, body, headers } = await call(getProfile, { as: me })
    expect([status, body]).toEqual([200, { ...known, deletionDueAt: null }])
    expect(headers.get('ETag')).toMatch(/^"1-/)
    const again = await call(getProfile, {
      as: me,
      headers: { 'If-None-Match': headers.get('ETag') ?? '' },
    })
    expect(again.status).toBe(304)
  })

  it('changes in the fields that are sent, and nobody else does', async () => {
    const [me, other] = [await newUser(), await newUser()]
    const before = await ok(getProfile, { as: me })
    const json = {
      name: 'Countess',
      locale: 'de-AT',
      timeZone: 'Europe/Vienna',
      baseCurrency: 'CHF',
    }
    const after = await ok(updateProfile, { as: me, json })
    expect(after).toEqual({ ...before, ...json, version: 2, updatedAt: after.updatedAt })
    expect(await ok(getProfile, { as: me })).toEqual(after)
    const { name } = await ok(updateProfile, { as: me, json: { locale: 'fr' } })
    expect(name).toBe('Countess')
    expect(await ok(getProfile, { as: other })).toMatchObject({ name: 'Ada', version: 1 })
  })

  it('keeps the name folded beside it, so that a search finds it', async () => {
    const me = await newUser()
    await ok(updateProfile, { as: me, json: { name: 'ÉMILIE  du Châtelet' } })
    expect(await rows('SELECT name_key FROM users WHERE id = ?', me.id)).toEqual([
      { name_key: 'émilie du châtelet' },
    ])
  })

  it('leaves both images of what changed in the log', async () => {
    const me = await newUser()
    await ok(updateProfile, { as: me, json: { name: 'Countess', timeZone: 'UTC' } })
    const logged = await rows<{ content: string }>(
      "SELECT content FROM log_entries WHERE owner_id = ? AND type = 'user.updated'",
      me.id,
    )
    expect(logged.map(({ content }) => JSON.parse(content))).toEqual([
      { before: { name: 'Ada' }, after: { name: 'Countess' } },
    ])
  })

  it.each([
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ locale: 'not a locale' }, 'locale'],
    [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
    [{ baseCurrency: 'XXZ' }, 'baseCurrency'],
    [{ email: 'other@example.com' }, 'email'],
    [{ version: 3 }, 'version'],
  ])('refuses %j', async (json, field) => {
    const raw = { body: JSON.stringify(json) }
    const { status, error } = await call(updateProfile, { as: await newUser(), raw })
    expect([status, error.code, error.field]).toEqual([400, 'request.invalid', field])
  })

  it('is not changed over a version that If-Match does not name', async () => {
    const me = await newUser()
    const { headers } = await call(getProfile, { as: me })
    const ifMatch = { 'If-Match': headers.get('ETag') ?? '' }
    await ok(updateProfile, { as: me, json: { name: 'One' }, headers: ifMatch })
    const late = await call(updateProfile, { as: me, json: { name: 'Two' }, headers: ifMatch })
    expect([late.status, late.error.code]).toEqual([412, 'request.stale'])
    expect((await ok(getProfile, { as: me })).name).toBe('One')
  })

  it('is not changed over a change that came between reading and writing', async () => {
    const me = await newUser()
    const slow = serviceWith({
      meanwhile: () => ok(updateProfile, { as: me, json: { name: 'First' } }),
    })
    const late = await slow.call(updateProfile, { as: me, json: { name: 'Second' } })
    expect([late.status, late.error.code]).toEqual([409, 'request.conflict'])
    expect((await ok(getProfile, { as: me })).name).toBe('First')
  })
})
