import { expect, it } from 'vitest'
import {
  disableTotp,
  renewRecoveryCodes,
  beginTotp,
  confirmTotp,
} from '../../../src/areas/identity/auth/auth.routes.ts'
import {
  linkIdentity,
  unlinkIdentity,
} from '../../../src/areas/identity/identity-providers/identity-providers.routes.ts'
import { call, ok } from '../../support/api.ts'
import { newUser } from '../../support/world.ts'
import { newCode } from '../identity-providers/providers.ts'
import { codeOf } from './authenticator.ts'
import { serviceWithMail } from './mails.ts'

// Whoever owns an account hears of every change to the ways into it.

it('tells by mail that a second factor was turned on and off, and recovery codes were replaced', async () => {
  const me = await newUser()
  const service = serviceWithMail()
  const proof = { as: me, json: { password: me.password } }
  const { secret } = await ok(beginTotp, proof)
  const told = async () => {
    const letters = await service.letters()
    return letters.map(({ to, subject }) => [to, subject])
  }
  await service.call(confirmTotp, { as: me, json: { code: await codeOf(secret) } })
  expect(await told()).toEqual([[me.email, 'A second factor is on for your Coffer account']])
  await service.call(renewRecoveryCodes, proof)
  expect(await told()).toEqual([[me.email, 'Your Coffer recovery codes were replaced']])
  await service.call(disableTotp, { as: me, json: { password: 'wrong' } })
  expect(await told()).toEqual([])
  await service.call(disableTotp, proof)
  expect(await told()).toEqual([[me.email, 'The second factor is off for your Coffer account']])
})

it('tells by mail that an identity was linked, and unlinked', async () => {
  const me = await newUser()
  const service = serviceWithMail()
  const { json } = await newCode(me.email)
  const linked = await service.call<{ id: string }>(linkIdentity, { as: me, json })
  expect(await service.letters()).toMatchObject([
    { to: me.email, subject: 'A new way to sign in to your Coffer account' },
  ])
  await service.call(linkIdentity, { as: me, json })
  expect(await service.letters()).toEqual([])
  await service.call(unlinkIdentity, { as: me, id: linked.body.id })
  const [letter] = await service.letters()
  expect(letter).toMatchObject({
    to: me.email,
    subject: 'A way to sign in to your Coffer account was removed',
    text: expect.stringMatching(/ on \d{4}-\d\d-\d\d \d\d:\d\d \(UTC\)\./),
  })
  expect((await call(unlinkIdentity, { as: me, id: linked.body.id })).status).toBe(404)
})
