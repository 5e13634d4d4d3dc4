import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  deleteIdentityProvider,
  updateIdentityProvider,
  linkIdentity,
  exchangeProviderCode,
  returnFromProvider,
} from '../../../src/areas/identity/identity-providers/identity-providers.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAdmin, newUser } from '../../support/world.ts'
import { journeysTo } from './journeys.ts'
import { oidcDouble } from './oidc-double.ts'

// What changes while somebody is on the way to a provider and back.

let oidc: Awaited<ReturnType<typeof oidcDouble>>
beforeEach(async () => {
  oidc = await oidcDouble()
})
afterEach(() => vi.restoreAllMocks())

const { newRealm, begin, back, travel } = journeysTo(() => oidc)

type Realm = Awaited<ReturnType<typeof newRealm>>

const change = async (realm: Realm, changed: object) =>
  ok(updateIdentityProvider, {
    as: await newAdmin(),
    id: realm.id,
    json: { ...realm.json, ...changed },
  })

const remove = async ({ id }: Realm) =>
  void (await call(deleteIdentityProvider, { as: await newAdmin(), id }))

const changes: [string, (realm: Realm) => Promise<unknown>][] = [
  ['is switched off', (realm) => change(realm, { enabled: false })],
  ['is deleted', remove],
  ['is somebody else', (realm) => change(realm, { issuer: 'https://else.example' })],
]

it.each(changes)('nobody comes back from a provider that %s', async (_, meanwhile) => {
  const realm = await newRealm()
  const { location, cookie } = await begin(realm.id)
  const query = oidc.signIn(location)
  await meanwhile(realm)
  const { status } = await back(realm.id, query, cookie)
  expect([400, 401, 503]).toContain(status)
  expect(await rows('SELECT 1 FROM sign_in_codes WHERE email = ?', realm.email)).toEqual([])
})

it.each(changes)(
  'no code is good for a sign-in or a link once its provider %s',
  async (_, meanwhile) => {
    const realm = await newRealm()
    const code = (await travel(realm.id)).body?.code ?? ''
    const as = await newUser()
    await rows('UPDATE users SET email = ?1, email_key = ?1 WHERE id = ?2', realm.email, as.id)
    await meanwhile(realm)
    expect((await call(linkIdentity, { as, json: { code } })).status).toBe(400)
    expect((await call(exchangeProviderCode, { json: { code } })).status).toBe(401)
  },
)

it('a provider speaks for another domain only from its next answer on, and for its own no longer', async () => {
  const realm = await newRealm()
  const { location, cookie } = await begin(realm.id)
  const query = oidc.signIn(location)
  await change(realm, { domain: `other-${realm.domain}` })
  const { status, error } = await back(realm.id, query, cookie)
  expect([status, error.code]).toEqual([403, 'auth.foreignDomain'])
})

it('a code of before says nothing for a domain that its provider lost', async () => {
  const realm = await newRealm()
  const code = (await travel(realm.id)).body?.code ?? ''
  await change(realm, { domain: `other-${realm.domain}` })
  const { status } = await call(exchangeProviderCode, { json: { code } })
  expect(status).toBe(401)
})

it('no way back of one provider is of use at another, nor its nonce for another question', async () => {
  const realm = await newRealm()
  const first = await begin(realm.id)
  const second = await begin(realm.id)
  const query = oidc.signIn(first.location)
  const swapped = { ...query, state: oidc.signIn(second.location)['state'] ?? '' }
  const { status, error } = await back(realm.id, swapped, second.cookie)
  expect([status, error.code]).toEqual([401, 'auth.providerRefused'])
})

it('no code comes of a provider that is changed while it answers', async () => {
  const realm = await newRealm()
  const { location, cookie } = await begin(realm.id)
  const query = oidc.signIn(location)
  const service = serviceWith({
    aroundTrips: async (trip, run) => {
      if (trip === 2) {
        await change(realm, { domain: `other-${realm.domain}` })
      }
      return run()
    },
  })
  const { status } = await service.call(returnFromProvider, {
    id: realm.id,
    query,
    headers: { Cookie: cookie },
  })
  expect(status).toBe(400)
  expect(await rows('SELECT 1 FROM sign_in_codes WHERE email = ?', realm.email)).toEqual([])
})
