import { expect, it } from 'vitest'
import {
  getMe,
  forgotPassword,
  resetPassword,
  changePassword,
  disableTotp,
} from '../../../src/areas/identity/auth/auth.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newUser, type TestUser } from '../../support/world.ts'
import { turnMfaOn } from './authenticator.ts'
import { codeIn, serviceWithMail } from './mails.ts'

// A password of 8 to 14 characters stands only beside a second factor.

const SHORT = 'kz8 wq2v'
const LONG = 'kz8 wq2v and then some'

async function userWithMfa() {
  const me = await newUser()
  return { me, ...(await turnMfaOn(me)) }
}

const changeTo = (me: TestUser, newPassword: string, currentPassword = me.password) =>
  call(changePassword, { as: me, json: { currentPassword, newPassword } })

/** Whether the user has a second factor, and a password that needs one. */
async function stateOf(me: TestUser) {
  const [user] = await rows<{ mfa: number; needed: number }>(
    'SELECT mfa_enabled_at IS NOT NULL AS mfa, password_needs_mfa AS needed FROM users WHERE id = ?',
    me.id,
  )
  return user
}

async function codeFor({ email }: TestUser) {
  const service = serviceWithMail()
  await service.call(forgotPassword, { json: { email } })
  return codeIn((await service.letters())[0])
}

it('keeps the second factor on until there is a longer one', async () => {
  const { me, recoveryCodes } = await userWithMfa()
  expect((await changeTo(me, SHORT)).status).toBe(200)
  const [code = ''] = recoveryCodes
  for (const json of [{ password: SHORT }, { code }]) {
    const { status, error } = await call(disableTotp, { as: me, json })
    expect([status, error.code]).toEqual([409, 'auth.passwordNeedsMfa'])
  }
  const wrong = await call(disableTotp, { as: me, json: { password: LONG } })
  expect([wrong.status, wrong.error.code]).toEqual([400, 'auth.wrongPassword'])

  expect((await changeTo(me, LONG, SHORT)).status).toBe(200)
  expect((await call(disableTotp, { as: me, json: { code } })).status).toBe(200)
  expect((await changeTo(me, SHORT, LONG)).error.code).toBe('auth.passwordTooShort')
})

it('is remembered when a reset chose it, too, and forgotten when another reset did not', async () => {
  const { me } = await userWithMfa()
  await ok(resetPassword, { json: { token: await codeFor(me), password: SHORT } })
  expect(await stateOf(me)).toEqual({ mfa: 1, needed: 1 })
  await ok(resetPassword, { json: { token: await codeFor(me), password: LONG } })
  expect(await stateOf(me)).toEqual({ mfa: 1, needed: 0 })
})

it('is not chosen when the second factor is turned off meanwhile', async () => {
  const off = (me: TestUser) => ok(disableTotp, { as: me, json: { password: me.password } })
  const { me } = await userWithMfa()
  const changing = serviceWith({ meanwhile: () => off(me) })
  const json = { currentPassword: me.password, newPassword: SHORT }
  const changed = await changing.call(changePassword, { as: me, json })
  expect([changed.status, changed.error.code, changed.error.field]).toEqual([
    400,
    'auth.passwordTooShort',
    'newPassword',
  ])

  const { me: other } = await userWithMfa()
  const token = await codeFor(other)
  const resetting = serviceWith({ meanwhile: () => off(other) })
  const reset = await resetting.call(resetPassword, { json: { token, password: SHORT } })
  expect([reset.status, reset.error.code, reset.error.field]).toEqual([
    400,
    'auth.passwordTooShort',
    'password',
  ])
  for (const user of [me, other]) {
    expect(await stateOf(user)).toEqual({ mfa: 0, needed: 0 })
    expect((await call(getMe, { as: user })).status).toBe(200)
  }
})

it('keeps the second factor on also when it is chosen while that is turned off', async () => {
  const { me, recoveryCodes } = await userWithMfa()
  const service = serviceWith({ meanwhile: () => changeTo(me, SHORT) })
  const json = { code: recoveryCodes[0] }
  const { status, error } = await service.call(disableTotp, { as: me, json })
  expect([status, error.code]).toEqual([409, 'auth.passwordNeedsMfa'])
  expect(await stateOf(me)).toEqual({ mfa: 1, needed: 1 })
})

it('makes the user another version, so that nobody who read the old one takes its second factor', async () => {
  const { me } = await userWithMfa()
  const { version } = await ok(getMe, { as: me })
  await changeTo(me, SHORT)
  expect((await ok(getMe, { as: me })).version).toBe(version + 1)
})

it('never stands alone, in whatever order both happen', async () => {
  for (let round = 0; round < 10; round++) {
    const { me } = await userWithMfa()
    const json = { password: me.password }
    const answers = await Promise.all([
      changeTo(me, SHORT),
      call(disableTotp, { as: me, json }),
      changeTo(me, SHORT),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const state = await stateOf(me)
    expect(state?.mfa).toBe(state?.needed)
  }
})
