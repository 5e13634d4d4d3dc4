import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import {
  getMe,
  changePassword,
  disableTotp,
  getMfa,
  renewRecoveryCodes,
  beginTotp,
  confirmTotp,
} from '../../../src/areas/identity/auth/auth.routes.ts'
import {
  fromBase32,
  otpauthUri,
  stepAt,
  toBase32,
  totpOf,
} from '../../../src/areas/identity/auth/auth.rules.ts'
import { settingsOf } from '../../../src/env.ts'
import { resealAll } from '../../../src/platform/secrets/reseal.ts'
import { TOTP_SEEDS } from '../../../src/platform/secrets/sealed-columns.ts'
import { call, ok, rows } from '../../support/api.ts'
import { contextWith, serviceWith } from '../../support/service.ts'
import { newUser, type TestUser } from '../../support/world.ts'
import { codeOf, signIn, STEP, turnMfaOn } from './authenticator.ts'
import { someBytes } from '../../support/of-file.ts'

const passwordOf = ({ password }: TestUser) => ({ password })

const actionsOf = async ({ id }: TestUser) => {
  const log = await rows<{ type: string }>(
    "SELECT type FROM log_entries WHERE owner_id = ? AND type LIKE 'mfa.%' ORDER BY number",
    id,
  )
  return log.map(({ type }) => type)
}

/** Another code than the right one. */
const wrongCode = async (secret: string) =>
  (await codeOf(secret)) === '000000' ? '000001' : '000000'

describe('a code', () => {
  // RFC 6238, appendix B: SHA-1, the last six of its eight digits.
  it.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ])('of %d seconds is %s', async (seconds, code) => {
    const seed = toBase32(new TextEncoder().encode('12345678901234567890'))
    expect(await totpOf(seed, stepAt(seconds * 1000))).toBe(code)
  })

  // RFC 4648, section 10.
  it.each([
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('comes of a secret in base 32: %s', (text, expected) => {
    const bytes = new TextEncoder().encode(text)
    expect(toBase32(bytes)).toBe(expected)
    expect(fromBase32(expected)).toEqual(bytes)
  })

  it('comes of an app that read the URI', () => {
    const uri = new URL(otpauthUri('JBSWY3DPEHPK3PXP', 'ada+1@coffer.test'))
    expect([uri.protocol, uri.host]).toEqual(['otpauth:', 'totp'])
    expect(decodeURIComponent(uri.pathname)).toBe('/Coffer:ada+1@coffer.test')
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      secret: 'JBSWY3DPEHPK3PXP',
      issuer: 'Coffer',
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
  })
})

describe('turning the second factor on', () => {
  it('begins with a secret, and counts once a code confirms it', async () => {
    const me = await newUser()
    expect(await ok(getMfa, { as: me })).toEqual({
      totp: false,
      totpSince: null,
      recoveryCodesLeft: 0,
    })
    const begun = await call(beginTotp, { as: me, json: { password: me.password } })
    expect([begun.status, begun.headers.get('Server-Timing')]).toEqual([
      201,
      expect.stringContaining('2 trips'),
    ])
    const { secret, otpauthUri: uri } = begun.body
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(uri).toContain(`secret=${secret}`)
    expect((await ok(getMe, { as: me })).mfaEnabled).toBe(false)
    await signIn(me)

    const json = { code: await codeOf(secret) }
    const confirmed = await call(confirmTotp, { as: me, json })
    expect([confirmed.status, confirmed.headers.get('Server-Timing')]).toEqual([
      200,
      expect.stringContaining('2 trips'),
    ])
    const { recoveryCodes } = confirmed.body
    expect(new Set(recoveryCodes).size).toBe(10)
    for (const code of recoveryCodes) {
      // 24 letters of base 32 are 120 bits: enough for a hash without salt.
      expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){5}$/)
    }
    expect((await ok(getMe, { as: me })).mfaEnabled).toBe(true)
    const list = await call(getMfa, { as: me })
    expect(list.body).toMatchObject({ totp: true, recoveryCodesLeft: 10 })
    expect(list.headers.get('Server-Timing')).toContain('1 trips')
    expect(await actionsOf(me)).toEqual(['mfa.begun', 'mfa.enabled'])
  })

  it('keeps the secret sealed and the recovery codes hashed', async () => {
    const me = await newUser()
    const { secret, recoveryCodes } = await turnMfaOn(me)
    const stored = JSON.stringify([
      await rows('SELECT * FROM mfa_factors'),
      await rows('SELECT * FROM mfa_recovery_codes'),
      await rows('SELECT * FROM log_entries WHERE owner_id = ?', me.id),
    ])
    for (const text of [secret, ...recoveryCodes]) {
      expect(stored).not.toContain(text)
      expect(stored).not.toContain(text.replaceAll('-', ''))
    }
  })

  it('brings the secret under a new key', async () => {
    const me = await newUser()
    const { secret } = await turnMfaOn(me)
    const [old] = settingsOf(env).encryptionKeys
    const fresh = { id: 'fresh', bytes: someBytes(32) }
    const encryptionKeys = old ? [fresh, old] : [fresh]
    const settings = { ...settingsOf(env), encryptionKeys }
    await resealAll(contextWith({ settings }), [TOTP_SEEDS])
    const [factor] = await rows<{ seed: string }>(
      'SELECT seed FROM mfa_factors WHERE user_id = ?',
      me.id,
    )
    expect(factor?.seed).toMatch(/^v1\.fresh\./)
    // And back, for the other tests of this database.
    const back = { ...settings, encryptionKeys: encryptionKeys.toReversed() }
    await resealAll(contextWith({ settings: back }), [TOTP_SEEDS])
    const json = { code: await codeOf(secret, 1) }
    expect((await call(disableTotp, { as: me, json })).status).toBe(200)
  })

  it('needs the password, and counts who does not know it', async () => {
    const [me, other] = await Promise.all([newUser(), newUser()])
    for (const json of [{ password: other.password }, {}]) {
      const { status, error } = await call(beginTotp, { as: me, json })
      expect([status, error.code, error.field]).toEqual([400, 'auth.wrongPassword', 'password'])
    }
    // Without a password nothing was tried.
    for (let at = 1; at < 10; at++) {
      expect((await call(beginTotp, { as: me, json: { password: 'wrong' } })).status).toBe(400)
    }
    const right = await call(beginTotp, { as: me, json: { password: me.password } })
    expect([right.status, right.headers.has('Retry-After')]).toEqual([429, true])
    expect(await rows('SELECT * FROM mfa_factors WHERE user_id = ?', me.id)).toEqual([])
    expect(new Set(await actionsOf(me))).toEqual(new Set(['mfa.refused']))
  })

  it('needs a sign-in of just now of a user who has no password, and takes none', async () => {
    const me = await newUser()
    await rows('UPDATE users SET password_hash = NULL WHERE id = ?', me.id)
    const late = serviceWith({ ahead: 11 * 60_000 })
    const stolen = await late.call(beginTotp, { as: me, json: {} })
    expect([stolen.status, stolen.error.code]).toEqual([403, 'auth.proofNeeded'])
    const made = await call(beginTotp, { as: me, json: { password: me.password } })
    expect([made.status, made.error.code]).toEqual([400, 'auth.wrongPassword'])
    expect((await call(beginTotp, { as: me, json: {} })).status).toBe(201)
    const raw = { body: '{"code":"123456"}' }
    expect((await call(beginTotp, { as: me, raw })).error.field).toBe('code')
  })

  it('takes the secret of the last beginning only', async () => {
    const me = await newUser()
    const first = await ok(beginTotp, { as: me, json: { password: me.password } })
    const { secret } = await ok(beginTotp, { as: me, json: { password: me.password } })
    const json = { code: await codeOf(first.secret) }
    expect((await call(confirmTotp, { as: me, json })).error.code).toBe('auth.wrongCode')
    expect((await call(confirmTotp, { as: me, json: { code: await codeOf(secret) } })).status).toBe(
      200,
    )
  })

  it('needs a beginning, and happens once', async () => {
    const me = await newUser()
    const json = { code: '123456' }
    const early = await call(confirmTotp, { as: me, json })
    expect([early.status, early.error.code]).toEqual([409, 'auth.mfaNotBegun'])
    await turnMfaOn(me)
    for (const again of [
      await call(beginTotp, { as: me, json: { password: me.password } }),
      await call(confirmTotp, { as: me, json }),
    ]) {
      expect([again.status, again.error.code]).toEqual([409, 'auth.mfaOn'])
    }
  })

  it('does not happen where it was begun anew or confirmed meanwhile', async () => {
    const me = await newUser()
    const { password } = me
    const { secret } = await ok(beginTotp, { as: me, json: { password } })
    const json = { code: await codeOf(secret) }
    const confirm = (meanwhile: () => Promise<unknown>) =>
      serviceWith({ meanwhile }).call(confirmTotp, { as: me, json })
    const confirmed = await confirm(() => ok(confirmTotp, { as: me, json }))
    expect([confirmed.status, confirmed.error.code]).toEqual([409, 'auth.mfaOn'])
    await ok(disableTotp, { as: me, json: { password } })

    const begun = await ok(beginTotp, { as: me, json: { password } })
    json.code = await codeOf(begun.secret)
    const replaced = await confirm(() => ok(beginTotp, { as: me, json: { password } }))
    expect([replaced.status, replaced.error.code]).toEqual([409, 'auth.mfaNotBegun'])
    expect((await ok(getMfa, { as: me })).totp).toBe(false)
  })

  it('takes codes of the step before and after, and no others', async () => {
    for (const [steps, status] of [
      [-2, 400],
      [2, 400],
      [-1, 200],
    ] as const) {
      const me = await newUser()
      const { secret } = await ok(beginTotp, { as: me, json: { password: me.password } })
      // At a clock that stands in the middle of a step, so that none ends meanwhile.
      const step = stepAt(Date.now())
      const service = serviceWith({ ahead: (step + 0.5) * STEP - Date.now() })
      const json = { code: await totpOf(secret, step + steps) }
      const answer = await service.call(confirmTotp, { as: me, json })
      expect([steps, answer.status]).toEqual([steps, status])
    }
  })

  it('is limited: ten wrong codes in fifteen minutes', async () => {
    const me = await newUser()
    const { secret } = await ok(beginTotp, { as: me, json: { password: me.password } })
    const json = { code: await wrongCode(secret) }
    for (let at = 0; at < 10; at++) {
      const { status, error } = await call(confirmTotp, { as: me, json })
      expect([status, error.code, error.field]).toEqual([400, 'auth.wrongCode', 'code'])
    }
    const right = { code: await codeOf(secret) }
    expect((await call(confirmTotp, { as: me, json: right })).status).toBe(429)
    expect((await ok(getMfa, { as: me })).totp).toBe(false)
  })

  it.each(['12345', '1234567', 'abcdef', ''])('takes six digits, not "%s"', async (code) => {
    const { status, error } = await call(confirmTotp, { as: await newUser(), json: { code } })
    expect([status, error.field]).toEqual([400, 'code'])
  })

  it("never touches another user's", async () => {
    const [me, other] = await Promise.all([newUser(), newUser()])
    const { secret } = await turnMfaOn(me)
    await ok(beginTotp, { as: other, json: { password: other.password } })
    const json = { code: await codeOf(secret, 1) }
    expect((await call(confirmTotp, { as: other, json })).status).toBe(400)
    expect((await call(disableTotp, { as: other, json })).error.code).toBe('auth.mfaOff')
    expect((await ok(getMfa, { as: me })).recoveryCodesLeft).toBe(10)
  })

  it('allows shorter passwords', async () => {
    const me = await newUser()
    const change = (newPassword: string) =>
      call(changePassword, { as: me, json: { currentPassword: me.password, newPassword } })
    expect((await change('kz8 wq2v')).error.code).toBe('auth.passwordTooShort')
    await turnMfaOn(me)
    expect((await change('kz8 wq2')).error.code).toBe('auth.passwordTooShortWithMfa')
    expect((await change('kz8 wq2v')).status).toBe(200)
  })
})

describe('turning the second factor off', () => {
  it.each(['password', 'code', 'recovery code'])('takes the %s', async (kind) => {
    const me = await newUser()
    const { secret, recoveryCodes } = await turnMfaOn(me)
    const proofs: Record<string, { password?: string; code?: string }> = {
      password: { password: me.password },
      code: { code: await codeOf(secret, 1) },
      'recovery code': { code: recoveryCodes[3]?.toUpperCase().replaceAll('-', ' ') ?? '' },
    }
    const { status, headers } = await call(disableTotp, { as: me, json: proofs[kind] ?? {} })
    expect(status).toBe(200)
    expect(headers.get('Server-Timing')).toContain('2 trips')
    expect((await ok(getMe, { as: me })).mfaEnabled).toBe(false)
    expect(await ok(getMfa, { as: me })).toMatchObject({ totp: false, recoveryCodesLeft: 0 })
    await signIn(me)
    expect(await actionsOf(me)).toEqual(['mfa.begun', 'mfa.enabled', 'mfa.disabled'])
    await turnMfaOn(me)
  })

  it('needs one that is right', async () => {
    const [me, other] = await Promise.all([newUser(), newUser()])
    const { used } = await turnMfaOn(me)
    const { recoveryCodes } = await turnMfaOn(other)
    for (const [json, code, field] of [
      [{ password: other.password }, 'auth.wrongPassword', 'password'],
      [{ code: used }, 'auth.wrongCode', 'code'],
      [{ code: recoveryCodes[0] ?? '' }, 'auth.wrongCode', 'code'],
      [{ code: 'abcd-efgh-ijkl-mnop-qrst-uvwx' }, 'auth.wrongCode', 'code'],
    ] as const) {
      const { status, error } = await call(disableTotp, { as: me, json })
      expect([status, error.code, error.field]).toEqual([400, code, field])
    }
    expect((await ok(getMfa, { as: me })).totp).toBe(true)
  })

  it('needs one of them, and a factor that is on', async () => {
    const me = await newUser()
    const off = await call(disableTotp, { as: me, json: { password: me.password } })
    expect([off.status, off.error.code]).toEqual([409, 'auth.mfaOff'])
    const { secret } = await turnMfaOn(me)
    const both = { password: me.password, code: await codeOf(secret, 1) }
    for (const json of [{}, both, { otp: '1' }]) {
      const raw = { body: JSON.stringify(json) }
      expect((await call(disableTotp, { as: me, raw })).status).toBe(400)
    }
  })

  it('is limited: ten wrong passwords in fifteen minutes', async () => {
    const me = await newUser()
    await turnMfaOn(me)
    const tries = Array.from({ length: 30 }, () =>
      call(disableTotp, { as: me, json: { password: 'wrong' } }),
    )
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 400).length).toBeLessThanOrEqual(10)
    const right = await call(disableTotp, { as: me, json: { password: me.password } })
    expect(right.status).toBe(429)
  })

  it('happens once, also when somebody else was first meanwhile', async () => {
    const me = await newUser()
    await turnMfaOn(me)
    const json = { password: me.password }
    const slow = serviceWith({ meanwhile: () => ok(disableTotp, { as: me, json }) })
    const { status, error } = await slow.call(disableTotp, { as: me, json })
    expect([status, error.code]).toEqual([409, 'auth.mfaOff'])
    expect((await actionsOf(me)).filter((type) => type === 'mfa.disabled')).toHaveLength(1)
  })
})

describe('recovery codes', () => {
  it('are replaced all at once', async () => {
    const me = await newUser()
    const { recoveryCodes } = await turnMfaOn(me)
    const [used = '', kept = ''] = recoveryCodes
    const { body, headers } = await call(renewRecoveryCodes, { as: me, json: { code: used } })
    expect(headers.get('Server-Timing')).toContain('2 trips')
    expect(body.recoveryCodes).toHaveLength(10)
    expect(new Set([...body.recoveryCodes, ...recoveryCodes]).size).toBe(20)
    for (const code of [used, kept]) {
      const { error } = await call(renewRecoveryCodes, { as: me, json: { code } })
      expect(error.code).toBe('auth.wrongCode')
    }
    expect((await ok(getMfa, { as: me })).recoveryCodesLeft).toBe(10)
    expect(await actionsOf(me)).toContain('mfa.recoveryCodesReplaced')
  })

  it.each<[string, (me: TestUser) => Promise<unknown>]>([
    ['turned off', async () => undefined],
    ['turned off and begun anew', (me) => ok(beginTotp, { as: me, json: passwordOf(me) })],
    ['turned off and on again', (me) => turnMfaOn(me)],
  ])('are not made when the factor is %s meanwhile', async (_, next) => {
    const me = await newUser()
    await turnMfaOn(me)
    const codes = () =>
      rows('SELECT code_hash FROM mfa_recovery_codes WHERE user_id = ? ORDER BY 1', me.id)
    let left: unknown[] = []
    const meanwhile = async () => {
      await ok(disableTotp, { as: me, json: passwordOf(me) })
      await next(me)
      left = await codes()
    }
    const slow = serviceWith({ meanwhile })
    const { status, error } = await slow.call(renewRecoveryCodes, { as: me, json: passwordOf(me) })
    expect([status, error.code]).toEqual([409, 'auth.mfaOff'])
    expect(await codes()).toEqual(left)
    expect(await actionsOf(me)).not.toContain('mfa.recoveryCodesReplaced')
  })

  it('need a second factor that is on, and the password or a code', async () => {
    const me = await newUser()
    const json = { password: me.password }
    const off = await call(renewRecoveryCodes, { as: me, json })
    expect([off.status, off.error.code]).toEqual([409, 'auth.mfaOff'])
    await turnMfaOn(me)
    const wrong = await call(renewRecoveryCodes, { as: me, json: { password: 'wrong' } })
    expect([wrong.status, wrong.error.field]).toEqual([400, 'password'])
    expect((await call(renewRecoveryCodes, { as: me, json })).status).toBe(200)
  })
})
