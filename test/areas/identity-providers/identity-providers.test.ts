import { describe, expect, it } from 'vitest'
import {
  createIdentityProvider,
  deleteIdentityProvider,
  getIdentityProvider,
  listIdentityProviders,
  updateIdentityProvider,
} from '../../../src/areas/identity/identity-providers/identity-providers.routes.ts'
import { newestPrefix, openSecret } from '../../../src/platform/secrets/key-ring.ts'
import { resealAll } from '../../../src/platform/secrets/reseal.ts'
import { CLIENT_SECRETS, placeIn } from '../../../src/platform/secrets/sealed-columns.ts'
import { INNER_HOSTS } from '../../support/addresses.ts'
import { call, fetchRaw, ok, rows } from '../../support/api.ts'
import { contextWith, serviceWith } from '../../support/service.ts'
import { newAdmin } from '../../support/world.ts'
import { logOf, newProvider, SECRET, secretOf, wanted } from './providers.ts'
import { someBytes } from '../../support/of-file.ts'

const MASK = '********'

it('adds a provider, and shows it without its secret', async () => {
  const admin = await newAdmin()
  const json = wanted()
  const created = await call(createIdentityProvider, { as: admin, json })
  expect(created.status).toBe(201)
  expect(created.body).toEqual({
    ...json,
    clientSecret: MASK,
    scopes: 'openid email profile',
    enabled: true,
    autoProvision: false,
    defaultRoleId: null,
    trustsEmail: false,
    claimMapping: { email: 'email', name: 'name' },
    roleClaim: null,
    roleMap: {},
    id: expect.stringMatching(/^idp_/),
    version: 1,
    createdAt: created.body.createdAt,
    updatedAt: created.body.createdAt,
  })
  const one = await call(getIdentityProvider, { as: admin, id: created.body.id })
  expect(one.body).toEqual(created.body)
  expect(one.headers.get('ETag')).toBe(created.headers.get('ETag'))
  const list = await ok(listIdentityProviders, { as: admin })
  expect(list.find(({ id }) => id === created.body.id)).toEqual(created.body)
})

it('takes every field that there is', async () => {
  const json = wanted({
    scopes: 'email openid groups',
    enabled: false,
    autoProvision: true,
    defaultRoleId: 'rol_user',
    trustsEmail: true,
    claimMapping: { email: 'upn', name: 'display_name' },
    roleClaim: 'realm_access.roles',
    roleMap: { staff: 'rol_user', 'Head Office': 'rol_admin' },
  })
  const created = await ok(createIdentityProvider, { as: await newAdmin(), json })
  expect(created).toMatchObject({ ...json, clientSecret: MASK })
})

it('lists providers by name', async () => {
  const admin = await newAdmin()
  const mark = crypto.randomUUID()
  for (const name of [`b ${mark}`, `A ${mark}`, `c ${mark}`]) {
    await ok(createIdentityProvider, { as: admin, json: wanted({ name }) })
  }
  const list = await ok(listIdentityProviders, { as: admin })
  const names = list.map(({ name }) => name).filter((name) => name.endsWith(mark))
  expect(names).toEqual([`A ${mark}`, `b ${mark}`, `c ${mark}`])
})

it('keeps the secret sealed, in its row, under a key that can be replaced', async () => {
  const { id } = await newProvider()
  const record = await secretOf(id)
  expect(record).toMatch(/^v1\.[\w-]{8}\./)
  const ctx = contextWith()
  expect(await openSecret(ctx, placeIn(CLIENT_SECRETS, id), record)).toBe(SECRET)

  const bytes = someBytes(32)
  const keys = [{ id: 'fresh', bytes }, ...ctx.settings.encryptionKeys]
  const rotated = contextWith({ settings: { ...ctx.settings, encryptionKeys: keys } })
  await resealAll(rotated, [CLIENT_SECRETS])
  const resealed = await secretOf(id)
  expect(resealed).toMatch(/^v1\.fresh\./)
  expect(await openSecret(rotated, placeIn(CLIENT_SECRETS, id), resealed)).toBe(SECRET)
  const back = contextWith({ settings: { ...ctx.settings, encryptionKeys: keys.toReversed() } })
  await resealAll(back, [CLIENT_SECRETS])
})

it('tells the secret nowhere: not in answers, not in the log, not in kept answers', async () => {
  const admin = await newAdmin()
  const json = wanted()
  const headers = { 'Idempotency-Key': crypto.randomUUID() }
  const first = await call(createIdentityProvider, { as: admin, json, headers })
  const again = await call(createIdentityProvider, { as: admin, json, headers })
  expect(again.text).toBe(first.text)
  const { id } = first.body
  const answers = [
    first,
    await call(listIdentityProviders, { as: admin }),
    await call(getIdentityProvider, { as: admin, id }),
    await call(updateIdentityProvider, { as: admin, id, json: { ...json, name: `${json.name}!` } }),
    await call(createIdentityProvider, { as: admin, json }),
    await call(createIdentityProvider, { as: admin, raw: { body: `{"clientSecret":"${SECRET}` } }),
  ]
  await call(deleteIdentityProvider, { as: admin, id })
  for (const { text } of answers) {
    expect(text).not.toContain(SECRET)
  }
  const log = await logOf(id)
  expect(log.map(({ type, actor_id }) => [type, actor_id])).toEqual(
    ['created', 'updated', 'deleted'].map((done) => [`identityProvider.${done}`, admin.id]),
  )
  expect(JSON.stringify(log)).not.toContain(SECRET)
  expect(JSON.stringify(log)).not.toContain(newestPrefix(contextWith()))
})

it.each([
  ['left out', undefined],
  ['sent back as it was shown', MASK],
])('keeps the secret when it is %s', async (_, clientSecret) => {
  const json = wanted()
  const provider = await newProvider(json)
  const { id } = provider
  const before = await secretOf(id)
  const { clientSecret: __, ...rest } = json
  const changed = await ok(updateIdentityProvider, {
    as: await newAdmin(),
    id,
    json: { ...rest, scopes: 'openid email', ...(clientSecret && { clientSecret }) },
  })
  expect([changed.scopes, changed.clientSecret, changed.version]).toEqual(['openid email', MASK, 2])
  expect(await secretOf(id)).toBe(before)
  const [, updated] = await logOf(id)
  expect(JSON.parse(updated?.content ?? '')).toEqual({
    before: { scopes: provider.scopes },
    after: { scopes: 'openid email' },
  })
})

describe('a secret that is kept', () => {
  it.each([
    ['issuer', 'left out', { issuer: 'https://elsewhere.example.com' }, undefined],
    ['issuer', 'masked', { issuer: 'https://login.example.com/' }, MASK],
    ['client id', 'left out', { clientId: 'another' }, undefined],
  ])('is never shown under another %s: %s', async (_, __, changed, clientSecret) => {
    const json = wanted()
    const { id } = await newProvider(json)
    const before = await secretOf(id)
    const { clientSecret: ___, ...rest } = json
    const kept = { ...rest, ...changed, ...(clientSecret && { clientSecret }) }
    const as = await newAdmin()
    const { status, error } = await call(updateIdentityProvider, { as, id, json: kept })
    expect([status, error.code, error.field]).toEqual([
      400,
      'identityProviders.secretRequired',
      'clientSecret',
    ])
    expect([await secretOf(id), await logOf(id)]).toEqual([before, [expect.anything()]])
    const given = { ...kept, clientSecret: 'the secret over there' }
    expect((await call(updateIdentityProvider, { as, id, json: given })).status).toBe(200)
  })

  it('is never shown to an issuer that came between reading and writing', async () => {
    const { clientSecret: _, ...rest } = wanted()
    const { id } = await newProvider({ ...rest, clientSecret: SECRET })
    const as = await newAdmin()
    const moved = { ...rest, issuer: 'https://elsewhere.example.com', clientSecret: 'theirs' }
    const service = serviceWith({
      meanwhile: () => ok(updateIdentityProvider, { as, id, json: moved }),
    })
    const { status } = await service.call(updateIdentityProvider, { as, id, json: rest })
    expect(status).toBe(409)
  })
})

it('replaces the secret when another one is sent', async () => {
  const json = wanted()
  const { id } = await newProvider(json)
  await ok(updateIdentityProvider, {
    as: await newAdmin(),
    id,
    json: { ...json, clientSecret: 'the next one' },
  })
  const place = placeIn(CLIENT_SECRETS, id)
  expect(await openSecret(contextWith(), place, await secretOf(id))).toBe('the next one')
  const [, updated] = await logOf(id)
  expect(JSON.parse(updated?.content ?? '')).toEqual({ clientSecret: [MASK, MASK] })
})

it('keeps optional fields that an update leaves out, and clears the role by null', async () => {
  const admin = await newAdmin()
  const json = wanted()
  const more = {
    scopes: 'openid email',
    enabled: false,
    autoProvision: true,
    defaultRoleId: 'rol_user',
    claimMapping: { email: 'mail', name: 'cn' },
  }
  const { id, ...created } = await newProvider({ ...json, ...more })
  const kept = await ok(updateIdentityProvider, { as: admin, id, json })
  expect(kept).toEqual({ ...created, id, version: 2, updatedAt: kept.updatedAt })
  const cleared = await ok(updateIdentityProvider, {
    as: admin,
    id,
    json: { ...json, defaultRoleId: null, enabled: true },
  })
  expect(cleared).toMatchObject({ defaultRoleId: null, enabled: true, autoProvision: true })
})

it.each([
  ['name', { name: undefined }],
  ['name', { name: ' \u00a0' }],
  ['name', { name: 'x'.repeat(101) }],
  ['domain', { domain: undefined }],
  ['issuer', { issuer: undefined }],
  ['clientId', { clientId: undefined }],
  ['clientId', { clientId: '' }],
  ['clientId', { clientId: 'line\nbreak' }],
  ['clientSecret', { clientSecret: '' }],
  ['clientSecret', { clientSecret: null }],
  ['scopes', { scopes: '' }],
  ['scopes', { scopes: 'email profile' }],
  ['scopes', { scopes: 'openid  email' }],
  ['scopes', { scopes: ['openid'] }],
  ['enabled', { enabled: 'yes' }],
  ['autoProvision', { autoProvision: 1 }],
  ['claimMapping', { claimMapping: null }],
  ['claimMapping.email', { claimMapping: { email: '' } }],
  ['claimMapping.groups', { claimMapping: { groups: 'g' } }],
  ['id', { id: 'idp_1' }],
])('refuses a bad %s: %j', async (field, changed) => {
  const admin = await newAdmin()
  const raw = { body: JSON.stringify({ ...wanted(), ...changed }) }
  const { id } = await newProvider()
  for (const answer of [
    await call(createIdentityProvider, { as: admin, raw }),
    await call(updateIdentityProvider, { as: admin, id, raw }),
  ]) {
    expect([answer.status, answer.error.code, answer.error.field]).toEqual([
      400,
      'request.invalid',
      field,
    ])
  }
})

it.each([
  ['left out', undefined],
  ['masked', MASK],
])('needs the secret of a new provider: %s', async (_, clientSecret) => {
  const raw = { body: JSON.stringify({ ...wanted(), clientSecret }) }
  const { status, error } = await call(createIdentityProvider, { as: await newAdmin(), raw })
  expect([status, error.code, error.field]).toEqual([
    400,
    'identityProviders.secretRequired',
    'clientSecret',
  ])
})

it.each([
  'localhost',
  'com',
  'example.com.',
  '.example.com',
  'example..com',
  '@example.com',
  'ada@example.com',
  'https://example.com',
  'example.com/path',
  'example.com:443',
  'example.com?x',
  'exam ple.com',
  'exam%2eple.com',
  '127.0.0.1',
  '0x7f.1',
  '[::1]',
  '*.example.com',
  '-x.example',
  `${'a'.repeat(64)}.example`,
])('refuses %s as a domain', async (domain) => {
  const { status, error } = await call(createIdentityProvider, {
    as: await newAdmin(),
    json: wanted({ domain }),
  })
  expect([status, error.code, error.field]).toEqual([
    400,
    'identityProviders.invalidDomain',
    'domain',
  ])
})

it('refuses every issuer that leads inside, on creation and on change', async () => {
  const admin = await newAdmin()
  const json = wanted()
  const { id } = await newProvider(json)
  const issuers = [
    ...INNER_HOSTS.map((host) => `https://${host}/`),
    'http://login.example.com',
    'https://login.example.com:8443',
    'https://user:password@login.example.com',
    'https://login.example.com?tenant=1',
    'https://login.example.com#part',
    'ftp://login.example.com',
    'login.example.com',
    'javascript:alert(1)',
  ]
  for (const issuer of issuers) {
    const answers = [
      await call(createIdentityProvider, { as: admin, json: wanted({ issuer }) }),
      await call(updateIdentityProvider, { as: admin, id, json: { ...json, issuer } }),
    ]
    for (const { status, error } of answers) {
      expect([issuer, status, error.code]).toEqual([issuer, 400, 'identityProviders.invalidIssuer'])
    }
  }
  expect(await logOf(id)).toHaveLength(1)
})

it('takes an issuer on loopback where the operator allows it', async () => {
  const json = wanted({ issuer: 'http://127.0.0.1:9000' })
  const service = serviceWith({ env: { OUTBOUND_ALLOW: '127.0.0.1:9000' } })
  const { status } = await service.call(createIdentityProvider, { as: await newAdmin(), json })
  expect(status).toBe(201)
})

it('keeps one provider per name, whatever its case and form', async () => {
  const admin = await newAdmin()
  const name = `Büro ${crypto.randomUUID()}`
  const first = await newProvider({ name })
  const json = wanted()
  const { id } = await newProvider(json)
  for (const taken of [name, ` ${name.toUpperCase()}`, name.normalize('NFD')]) {
    for (const { status, error } of [
      await call(createIdentityProvider, { as: admin, json: wanted({ name: taken }) }),
      await call(updateIdentityProvider, { as: admin, id, json: { ...json, name: taken } }),
    ]) {
      expect([status, error.code, error.field]).toEqual([
        409,
        'identityProviders.nameTaken',
        'name',
      ])
    }
  }
  const own = { ...wanted(), domain: first.domain, name: name.toUpperCase() }
  expect((await call(updateIdentityProvider, { as: admin, id: first.id, json: own })).status).toBe(
    200,
  )
})

it('keeps one provider per domain, as the DNS spells it', async () => {
  const admin = await newAdmin()
  const mark = crypto.randomUUID()
  const first = await newProvider({ domain: ` BÜRO-${mark}.Example ` })
  expect(first.domain).toBe(new URL(`https://büro-${mark}.example`).hostname)
  expect(first.domain).toMatch(/^xn--/)
  const json = wanted()
  const { id } = await newProvider(json)
  for (const domain of [first.domain, `büro-${mark}.example`, `ＢÜＲＯ-${mark}。EXAMPLE`]) {
    for (const { status, error } of [
      await call(createIdentityProvider, { as: admin, json: wanted({ domain }) }),
      await call(updateIdentityProvider, { as: admin, id, json: { ...json, domain } }),
    ]) {
      expect([domain, status, error.code, error.field]).toEqual([
        domain,
        409,
        'identityProviders.domainTaken',
        'domain',
      ])
    }
  }
})

it('adds one of fifty providers that come for one domain at once', async () => {
  const admin = await newAdmin()
  const { domain } = wanted()
  const answers = await Promise.all(
    Array.from({ length: 50 }, () =>
      call(createIdentityProvider, { as: admin, json: wanted({ domain }) }),
    ),
  )
  const statuses = answers.map(({ status }) => status).toSorted()
  expect(statuses).toEqual([201, ...Array.from({ length: 49 }, () => 409)])
})

it('deletes a provider once, without a body', async () => {
  const admin = await newAdmin()
  const { id } = await newProvider()
  const response = await fetchRaw(`/admin/identity-providers/${id}`, {
    method: 'DELETE',
    headers: { Authorization: `Bearer ${admin.accessToken}` },
  })
  expect([response.status, response.headers.get('Content-Type')]).toEqual([204, null])
  expect(await response.text()).toBe('')
  for (const [route, json] of [
    [getIdentityProvider, undefined],
    [updateIdentityProvider, wanted()],
    [deleteIdentityProvider, undefined],
  ] as const) {
    const again = await call(route, { as: admin, id, ...(json && { json }) })
    expect([again.status, again.error.code]).toEqual([404, 'identityProviders.notFound'])
  }
  expect(await rows('SELECT * FROM identity_providers WHERE id = ?', id)).toEqual([])
  expect(JSON.parse((await logOf(id))[1]?.content ?? '')).toMatchObject({
    before: { issuer: 'https://login.example.com', clientSecret: MASK },
  })
})

it('frees the name and the domain of a deleted provider', async () => {
  const json = wanted()
  const { id } = await newProvider(json)
  await ok(deleteIdentityProvider, { as: await newAdmin(), id })
  expect((await newProvider(json)).id).not.toBe(id)
})

it('answers 304 to who knows it already, and 412 to who knows an older one', async () => {
  const admin = await newAdmin()
  const json = wanted()
  const { id } = await newProvider(json)
  const etag = (await call(getIdentityProvider, { as: admin, id })).headers.get('ETag') ?? ''
  const known = await call(getIdentityProvider, {
    as: admin,
    id,
    headers: { 'If-None-Match': etag },
  })
  expect([known.status, known.text]).toEqual([304, ''])
  const headers = { 'If-Match': etag }
  const changed = { ...json, enabled: false }
  expect(
    (await call(updateIdentityProvider, { as: admin, id, json: changed, headers })).status,
  ).toBe(200)
  for (const { status, error } of [
    await call(updateIdentityProvider, { as: admin, id, json, headers }),
    await call(deleteIdentityProvider, { as: admin, id, headers }),
  ]) {
    expect([status, error.code]).toEqual([412, 'request.stale'])
  }
})

it('refuses with 409 what was changed between reading and writing', async () => {
  const admin = await newAdmin()
  const json = wanted()
  const { id } = await newProvider(json)
  const meanwhile = () =>
    rows('UPDATE identity_providers SET version = version + 1 WHERE id = ?', id)
  const service = serviceWith({ meanwhile })
  for (const { status, error } of [
    await service.call(updateIdentityProvider, { as: admin, id, json }),
    await service.call(deleteIdentityProvider, { as: admin, id }),
  ]) {
    expect([status, error.code]).toEqual([409, 'request.conflict'])
  }
  expect(await logOf(id)).toHaveLength(1)
})
