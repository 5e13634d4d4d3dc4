import { expect, it } from 'vitest'
import {
  linkIdentity,
  unlinkIdentity,
  listIdentities,
  exchangeProviderCode,
} from '../../../src/areas/identity/identity-providers/identity-providers.routes.ts'
import { updateUser } from '../../../src/areas/identity/user-administration/user-administration.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAdmin, newUser } from '../../support/world.ts'
import { newCode } from './providers.ts'

const all = [listIdentities, linkIdentity, unlinkIdentity] as const

const logOf = (userId: string) =>
  rows<{ type: string; content: string }>(
    "SELECT type, content FROM log_entries WHERE actor_id = ? AND resource_type = 'identity' ORDER BY number",
    userId,
  )

it.each(all)('asks an anonymous caller to sign in: $operationId', async (route) => {
  const body = route === linkIdentity && { raw: { body: '{"code":"x"}' } }
  const { status, error } = await call(route, { id: 'ext_1', ...body })
  expect([status, error.code]).toEqual([401, 'auth.required'])
})

it.each(all)('refuses whose roles do not permit it: $operationId', async (route) => {
  const user = await newUser()
  await rows('DELETE FROM user_roles WHERE user_id = ?', user.id)
  const body = route === linkIdentity && { raw: { body: '{"code":"x"}' } }
  const { status, error } = await call(route, { as: user, id: 'ext_1', ...body })
  expect([status, error.code]).toEqual([403, 'auth.forbidden'])
})

it('links by the code that did not sign in, and signs in ever after', async () => {
  const user = await newUser()
  const first = await newCode(user.email)
  const refused = await call(exchangeProviderCode, { json: first.json })
  expect([refused.status, refused.error.code]).toEqual([409, 'auth.linkRequired'])

  const linked = await call(linkIdentity, { as: user, json: first.json })
  const { issuer, subject } = first
  expect([linked.status, linked.body]).toMatchObject([201, { issuer, subject }])
  expect(await ok(listIdentities, { as: user })).toEqual({ identities: [linked.body], count: 1 })
  expect((await call(linkIdentity, { as: user, json: first.json })).status).toBe(400)

  const next = await newCode('another@elsewhere.example', { issuer, subject })
  const entered = await ok(exchangeProviderCode, { json: next.json })
  expect(entered).toMatchObject({ user: { id: user.id } })
  const [entry] = await logOf(user.id)
  expect([entry?.type, JSON.parse(entry?.content ?? '')]).toEqual([
    'identity.linked',
    { after: { issuer, subject, provider: first.provider.id } },
  ])
})

it('links no identity of an address that the user left meanwhile', async () => {
  const [user, admin] = [await newUser(), await newAdmin()]
  const { json } = await newCode(user.email)
  const email = `moved-${crypto.randomUUID()}@coffer.test`
  const service = serviceWith({
    meanwhile: () => ok(updateUser, { as: admin, id: user.id, json: { email } }),
  })
  const { status, error } = await service.call(linkIdentity, { as: user, json })
  expect([status, error.code]).toEqual([409, 'auth.emailDiffers'])
  expect(await logOf(user.id)).toEqual([])
})

it('links no identity of a provider that is changed meanwhile', async () => {
  const user = await newUser()
  const { json, provider } = await newCode(user.email)
  const service = serviceWith({
    meanwhile: () =>
      rows('UPDATE identity_providers SET version = version + 1 WHERE id = ?', provider.id),
  })
  const { status, error } = await service.call(linkIdentity, { as: user, json })
  expect([status, error.code]).toEqual([409, 'auth.providerChanged'])
  expect(await logOf(user.id)).toEqual([])
  expect((await call(linkIdentity, { as: user, json })).status).toBe(201)
})

it('links no identity of another address, so that nobody is given one of a stranger', async () => {
  const user = await newUser()
  const { json } = await newCode('stranger@elsewhere.example')
  const { status, error } = await call(linkIdentity, { as: user, json })
  expect([status, error.code]).toEqual([409, 'auth.emailDiffers'])
  expect((await ok(listIdentities, { as: user })).count).toBe(0)
})

it('links no code that is made up or over', async () => {
  const user = await newUser()
  const { json } = await newCode(user.email)
  const late = serviceWith({ ahead: 120_000 })
  for (const { status, error } of [
    await call(linkIdentity, { as: user, json: { code: 'sic_x' } }),
    await late.call(linkIdentity, { as: user, json }),
  ]) {
    expect([status, error.code, error.field]).toEqual([400, 'auth.unusableCode', 'code'])
  }
})

it('links one identity to one user, also when it comes ten times at once', async () => {
  const user = await newUser()
  const { issuer, subject, json } = await newCode(user.email)
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => call(linkIdentity, { as: user, json })),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  expect((await ok(listIdentities, { as: user })).count).toBe(1)
  const other = await newUser()
  const again = await newCode(other.email, { issuer, subject })
  const taken = await call(linkIdentity, { as: other, json: again.json })
  expect([taken.status, taken.error.code]).toEqual([409, 'auth.identityTaken'])
  const meanwhile = () => rows('DELETE FROM sign_in_codes WHERE issuer = ?', issuer)
  const third = await newUser()
  const late = await newCode(third.email)
  const service = serviceWith({
    meanwhile: async () => {
      await meanwhile()
      await rows('DELETE FROM sign_in_codes WHERE issuer = ?', late.issuer)
    },
  })
  const { status, error } = await service.call(linkIdentity, { as: third, json: late.json })
  expect([status, error.code, error.field]).toEqual([400, 'auth.unusableCode', 'code'])
})

it('unlinks once, and nobody but the own', async () => {
  const [user, stranger] = await Promise.all([newUser(), newUser()])
  const { json, issuer, subject } = await newCode(user.email)
  const { id } = await ok(linkIdentity, { as: user, json })
  expect((await call(unlinkIdentity, { as: stranger, id })).status).toBe(404)
  expect((await ok(listIdentities, { as: stranger })).count).toBe(0)
  const gone = await call(unlinkIdentity, { as: user, id })
  expect([gone.status, gone.text]).toEqual([204, ''])
  const again = await call(unlinkIdentity, { as: user, id })
  expect([again.status, again.error.code]).toEqual([404, 'auth.identityNotFound'])
  const [, entry] = await logOf(user.id)
  expect([entry?.type, JSON.parse(entry?.content ?? '')]).toEqual([
    'identity.unlinked',
    { before: { issuer, subject } },
  ])
})

it('unlinks once, also when somebody else was first meanwhile', async () => {
  const user = await newUser()
  const { json } = await newCode(user.email)
  const { id } = await ok(linkIdentity, { as: user, json })
  const service = serviceWith({ meanwhile: () => call(unlinkIdentity, { as: user, id }) })
  const { status, error } = await service.call(unlinkIdentity, { as: user, id })
  expect([status, error.code]).toEqual([404, 'auth.identityNotFound'])
  expect(await logOf(user.id)).toHaveLength(2)
})

it('leaves everybody a way in', async () => {
  const user = await newUser()
  const [first, second] = [await newCode(user.email), await newCode(user.email)]
  const one = await ok(linkIdentity, { as: user, json: first.json })
  const other = await ok(linkIdentity, { as: user, json: second.json })
  await rows('UPDATE users SET password_hash = NULL WHERE id = ?', user.id)

  await rows('UPDATE identity_providers SET enabled = 0 WHERE id = ?', second.provider.id)
  const last = await call(unlinkIdentity, { as: user, id: one.id })
  expect([last.status, last.error.code]).toEqual([409, 'auth.lastWayIn'])
  await rows('UPDATE identity_providers SET enabled = 1 WHERE id = ?', second.provider.id)

  const both = await Promise.all(
    [one.id, other.id].map((id) => call(unlinkIdentity, { as: user, id })),
  )
  expect(both.map(({ status }) => status).toSorted()).toEqual([204, 409])
  expect((await ok(listIdentities, { as: user })).count).toBe(1)
})
