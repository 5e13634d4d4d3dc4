import { expect, it } from 'vitest'
import { getMe, loginMfa, disableTotp } from '../../../src/areas/identity/auth/auth.routes.ts'
import {
  linkIdentity,
  unlinkIdentity,
  exchangeProviderCode,
} from '../../../src/areas/identity/identity-providers/identity-providers.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { costOf } from '../../support/samples.ts'
import { serviceWith } from '../../support/service.ts'
import { newUser, type TestUser } from '../../support/world.ts'
import { codeOf, turnMfaOn } from '../auth/authenticator.ts'
import { newCode } from './providers.ts'

/** A user whom a provider can sign in, too. */
async function linkedUser() {
  const me = await newUser()
  const { json, issuer, subject } = await newCode(me.email)
  const { id } = await ok(linkIdentity, { as: me, json })
  return { me, identity: { issuer, subject, id } }
}

const sessionsOf = ({ id }: TestUser) => rows('SELECT id FROM sessions WHERE user_id = ?', id)

/** The sign-in up to its second factor. */
async function challenge(identity: { issuer: string; subject: string }) {
  const { json } = await newCode('whatever@elsewhere.example', identity)
  const answer = await call(exchangeProviderCode, { json })
  expect([answer.status, answer.body]).toEqual([
    200,
    {
      mfaRequired: true,
      mfaToken: expect.stringMatching(/^mft_[\w-]{43}$/),
      methods: ['totp', 'recoveryCode'],
    },
  ])
  const { mfaToken } = answer.body as { mfaToken: string }
  return { mfaToken, json, answer }
}

const finish = (mfaToken: string, code: string) => call(loginMfa, { json: { mfaToken, code } })

it('asks for the second factor of a user who has one, whoever the provider is', async () => {
  const { me, identity } = await linkedUser()
  const { secret } = await turnMfaOn(me)
  const { mfaToken, json, answer } = await challenge(identity)
  expect(costOf(answer.headers).trips).toBe(2)
  expect(await sessionsOf(me)).toHaveLength(1)
  expect((await call(exchangeProviderCode, { json })).error.code).toBe('auth.invalidCode')
  expect((await finish(mfaToken, 'abcd-efgh-ijkl-mnop-qrst-uvwx')).error.code).toBe(
    'auth.invalidMfaCode',
  )

  const { status, body } = await finish(mfaToken, await codeOf(secret, 1))
  expect([status, body.user.id]).toEqual([200, me.id])
  expect((await call(getMe, { as: body })).status).toBe(200)
  const [entry] = await rows<{ content: string }>(
    "SELECT content FROM log_entries WHERE owner_id = ? AND type = 'session.challenged'",
    me.id,
  )
  expect(JSON.parse(entry?.content ?? '')).toMatchObject({ issuer: identity.issuer })
})

it('brings the same question again to who repeats the call with its key', async () => {
  const { me, identity } = await linkedUser()
  await turnMfaOn(me)
  const { json } = await newCode(me.email, identity)
  const headers = { 'Idempotency-Key': crypto.randomUUID() }
  const first = await call(exchangeProviderCode, { json, headers })
  const again = await call(exchangeProviderCode, { json, headers })
  expect([again.status, again.text]).toEqual([200, first.text])
  expect(again.headers.get('Idempotency-Replayed')).toBe('true')
})

it('links an identity to who is signed in without asking for the second factor', async () => {
  const me = await newUser()
  await turnMfaOn(me)
  const { json } = await newCode(me.email)
  expect((await call(linkIdentity, { as: me, json })).status).toBe(201)
})

it('opens no session when the second factor is turned on or off meanwhile', async () => {
  const { me, identity } = await linkedUser()
  for (const meanwhile of [
    () => turnMfaOn(me),
    () => ok(disableTotp, { as: me, json: { password: me.password } }),
  ]) {
    const service = serviceWith({ meanwhile })
    const { json } = await newCode(me.email, identity)
    const { status, error } = await service.call(exchangeProviderCode, { json })
    expect([status, error.code]).toEqual([401, 'auth.invalidCode'])
    expect(await sessionsOf(me)).toHaveLength(1)
  }
})

it('ends what waits for its code when the identity is unlinked', async () => {
  const { me, identity } = await linkedUser()
  const { recoveryCodes } = await turnMfaOn(me)
  const { mfaToken } = await challenge(identity)
  expect((await call(unlinkIdentity, { as: me, id: identity.id })).status).toBe(204)
  const { status, error } = await finish(mfaToken, recoveryCodes[0] ?? '')
  expect([status, error.code]).toEqual([401, 'auth.invalidMfaToken'])
})
