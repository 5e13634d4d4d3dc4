import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { getMe } from '../../../src/areas/auth/auth.routes.ts'
import { inviteAdministrator } from '../../../src/areas/invites/invites.usecases.ts'
import { call, fetchRaw, ok } from '../../support/api.ts'
import { contextWith, serviceWith } from '../../support/service.ts'
import { newUser, type TestUser } from '../../support/world.ts'
import {
  base64Url,
  fromBase64Url,
  hmacSigned,
  ownJwk,
  partsOf,
  signed,
  signedText,
  strangeKey,
  unsigned,
} from './tokens.ts'

const now = () => Math.floor(Date.now() / 1000)
const HOUR = 3600
const ownKid = ownJwk().kid

/** What each forger makes of a good token; none may be let in. */
type Forger = (me: TestUser, parts: ReturnType<typeof partsOf>) => Promise<Record<string, string>>

const named = async (pairs: [string, string | Promise<string>][]) =>
  Object.fromEntries(
    await Promise.all(pairs.map(async ([name, token]) => [name, await token] as const)),
  )

const changedHeader =
  (changes: Record<string, unknown>[]): Forger =>
  async (_, { header, claims }) =>
    named(
      changes.map((change) => [JSON.stringify(change), signed({ ...header, ...change }, claims)]),
    )

const changedClaims =
  (changes: () => Record<string, unknown>[]): Forger =>
  async (_, { header, claims }) =>
    named(
      changes().map((change) => [JSON.stringify(change), signed(header, { ...claims, ...change })]),
    )

const forgers: Record<string, Forger> = {
  'tokens without a signature': async ({ accessToken }, { header, claims }) => {
    const signature = accessToken.split('.')[2]
    const spellings = ['none', 'None', 'NONE', 'nOnE', ' none', 'none\u0000', '', null]
    return named(
      [...spellings, 'EdDSA', undefined].flatMap((alg) => [
        [`${alg} and nothing`, unsigned({ ...header, alg }, claims)],
        ...(alg === 'EdDSA'
          ? []
          : [[`${alg} and a signature`, unsigned({ ...header, alg }, claims, signature)] as const]),
      ]) as [string, string][],
    )
  },

  'tokens with a worthless signature': async (_, { header, claims }) =>
    named(
      [0, 1, 32, 63, 64, 65, 128].map((length) => [
        `${length} zeros`,
        unsigned(header, claims, base64Url(new Uint8Array(length))),
      ]),
    ),

  'tokens of another key': async (_, { header, claims }) => {
    const { privateKey, publicJwk } = await strangeKey()
    const url = 'http://127.0.0.1/keys'
    const hints = [{}, { jwk: publicJwk }, { jku: url }, { x5u: url }, { x5c: [publicJwk.x] }]
    return named(
      hints.map((hint) => [
        Object.keys(hint).join(),
        signed({ ...header, ...hint }, claims, privateKey),
      ]),
    )
  },

  'tokens signed with a public word': async (_, { header, claims }) =>
    named(
      [ownJwk().x, JSON.stringify(ownJwk()), env.JWT_KEYS, 'secret', 'coffer', '\u0000'].flatMap(
        (secret) => [
          [`HS256 ${secret}`, hmacSigned({ ...header, alg: 'HS256' }, claims, secret)],
          [`EdDSA ${secret}`, hmacSigned(header, claims, secret)],
        ],
      ),
    ),

  'headers that are not the one we write': changedHeader([
    { alg: 'HS256' },
    { alg: 'ES256' },
    { alg: 'RS256' },
    { alg: 'Ed25519' },
    { alg: 'eddsa' },
    { alg: ['EdDSA'] },
    { typ: undefined },
    { typ: 'JWT' },
    { typ: 'jwt' },
    { typ: 'rt+jwt' },
    { typ: 'at+jwt ' },
    { typ: null },
    { typ: ['at+jwt'] },
    { kid: undefined },
    { kid: null },
    { kid: '' },
    { kid: 'other' },
    { kid: `../../${ownKid}` },
    { kid: 0 },
    { kid: [ownKid] },
    { kid: { toString: ownKid } },
    { crit: ['exp'] },
    { crit: [], b64: false },
  ]),

  'claims that are not the ones we write': changedClaims(() => [
    ...[undefined, null, '', 'Coffer', 'other', 1, ['coffer']].map((iss) => ({ iss })),
    ...[undefined, null, '', 'coffer', ['coffer-api'], ['coffer-api', 'x'], {}].map((aud) => ({
      aud,
    })),
    ...[undefined, null, '', 'usr_none', 1, ['x'], {}].map((sub) => ({ sub })),
    ...[undefined, null, '', 'ses_none', 1, ['x'], {}].map((sid) => ({ sid })),
    ...[undefined, null, '', '9999999999', true, 0, -1, now(), now() - HOUR, {}].map((exp) => ({
      exp,
    })),
    ...[undefined, null, '', '1', true, now() + HOUR].map((iat) => ({ iat })),
    ...[null, '', '1', now() + HOUR, 1e300].map((nbf) => ({ nbf })),
  ]),

  'the session of one user with the name of another': async (_, { header, claims }) => {
    const other = partsOf(await newUser()).claims
    return named([
      ['sub', signed(header, { ...claims, sub: other['sub'] })],
      ['sid', signed(header, { ...claims, sid: other['sid'] })],
    ])
  },

  'tokens with one bit flipped': async ({ accessToken }) => {
    const parts = accessToken.split('.').map(fromBase64Url)
    const flips = Array.from({ length: 96 }, (_, at) => {
      const part = at % 3
      const flipped = parts.map((bytes) => bytes.slice())
      const bytes = flipped[part] ?? new Uint8Array()
      const bit = (at * 37) % (bytes.length * 8)
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      return [`part ${part} bit ${bit}`, flipped.map(base64Url).join('.')] as [string, string]
    })
    return named(flips)
  },

  'tokens in other parts': async ({ accessToken }) => {
    const [header = '', claims = '', signature = ''] = accessToken.split('.')
    return named([
      ['one part', header],
      ['two parts', `${header}.${claims}`],
      ['four parts', `${accessToken}.${signature}`],
      ['five parts, as encrypted ones have', `${header}..${claims}.${signature}.${signature}`],
      ['dots only', '..'],
      ['a dot in front', `.${accessToken}`],
      ['a dot behind', `${accessToken}.`],
      ['an empty header', `.${claims}.${signature}`],
      ['no claims', `${header}..${signature}`],
      ['parts swapped', `${claims}.${header}.${signature}`],
      ['the signature of a refresh token', `${header}.${claims}.rft_`],
    ])
  },

  'tokens written in another way': async ({ accessToken }) => {
    const [header = '', claims = '', signature = ''] = accessToken.split('.')
    const last = signature.at(-1) ?? ''
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const sameBits = alphabet[alphabet.indexOf(last) ^ 1] ?? ''
    return named([
      ['unused bits set', `${header}.${claims}.${signature.slice(0, -1)}${sameBits}`],
      ['padding', `${accessToken}==`],
      ['padding inside', `${header}=.${claims}.${signature}`],
      ['quotes', `"${accessToken}"`],
      ['percent signs', accessToken.replaceAll('.', '%2E')],
      ['other alphabet', `${header}.${claims}.${'+/'.repeat(43)}`],
      ['upper case', accessToken.toUpperCase()],
      ['a space inside', `${header}. ${claims}.${signature}`],
      ['JSON serialization', JSON.stringify({ protected: header, payload: claims, signature })],
    ])
  },

  'parts that are not the JSON they must be': async ({ accessToken }, { header, claims }) => {
    const [head = '', body = ''] = accessToken.split('.')
    const strange = ['', '[]', 'null', '1', '"x"', '{', '{"a":1}x', '\u0000', '[{}]']
    return named([
      ...strange.flatMap((text): [string, Promise<string>][] => [
        [`header ${text}`, signedText(`${base64Url(text)}.${body}`)],
        [`claims ${text}`, signedText(`${head}.${base64Url(text)}`)],
      ]),
      ['invalid UTF-8', signedText(`${head}.${base64Url(new Uint8Array([123, 255, 125]))}`)],
      ['claims in a list', signed(header, [claims])],
      ['claims in a text', signed(header, JSON.stringify(claims))],
    ])
  },

  'things that are no access tokens': async ({ refreshToken, id, password }) =>
    named([
      ['the refresh token', refreshToken],
      ['an invite code', inviteAdministrator(contextWith())],
      ['the id of the user', id],
      ['the password', password.replaceAll(' ', '')],
      ['a word', 'undefined'],
      ['much', 'A'.repeat(100_000)],
      ['much in parts', `${'A'.repeat(50_000)}.${'A'.repeat(50_000)}.${'A'.repeat(86)}`],
      ['many dots', '.'.repeat(10_000)],
    ]),
}

const attempt = async (authorization: string, path = '/auth/me') => {
  const headers = new Headers()
  headers.append('Authorization', authorization)
  const response = await fetchRaw(path, { headers })
  return { status: response.status, text: await response.text() }
}

it.each(Object.entries(forgers))('lets nobody in with %s', async (_, forge) => {
  const me = await newUser()
  expect((await call(getMe, { as: me })).status).toBe(200)
  const forged = Object.entries(await forge(me, partsOf(me)))
  const answers = await Promise.all(
    forged.map(async ([name, token]) => [name, (await attempt(`Bearer ${token}`)).status]),
  )
  expect(answers).toEqual(forged.map(([name]) => [name, 401]))
  expect((await call(getMe, { as: me })).status).toBe(200)
})

it('takes a token from the Authorization header alone, as Bearer, and once', async () => {
  const { accessToken } = await newUser()
  const refused = [
    accessToken,
    `Basic ${accessToken}`,
    `Basic ${btoa(`user:${accessToken}`)}`,
    `Token ${accessToken}`,
    `Bearer`,
    `Bearer Bearer ${accessToken}`,
    `Bearer  ${accessToken}`,
    `Bearer\t${accessToken}`,
    `Bearer ${accessToken}, Bearer ${accessToken}`,
    `Bearer ${accessToken},`,
    `Bearer=${accessToken}`,
  ]
  for (const authorization of refused) {
    expect((await attempt(authorization)).status, authorization).toBe(401)
  }
  for (const path of ['access_token', 'token', 'Authorization'].map((name) => `?${name}=`)) {
    expect((await fetchRaw(`/auth/me${path}${accessToken}`)).status).toBe(401)
  }
  for (const name of ['Cookie', 'X-Authorization', 'Proxy-Authorization', 'X-Access-Token']) {
    const headers = { [name]: `Bearer ${accessToken}` }
    expect((await fetchRaw('/auth/me', { headers })).status).toBe(401)
  }
  const twice = new Headers({ Authorization: `Bearer ${accessToken}` })
  twice.append('Authorization', `Bearer ${accessToken}`)
  expect((await fetchRaw('/auth/me', { headers: twice })).status).toBe(401)
  expect((await attempt(`Bearer ${accessToken}`)).status).toBe(200)
  expect((await attempt(`bearer ${accessToken}`)).status).toBe(200)
})

it('says the same of every token that it refuses', async () => {
  const me = await newUser()
  const { header, claims } = partsOf(me)
  const answers = await Promise.all(
    [
      await signed(header, { ...claims, exp: now() - HOUR }),
      await signed(header, { ...claims, sid: 'ses_none' }),
      unsigned(header, claims),
      'x',
    ].map(async (token) => JSON.parse((await attempt(`Bearer ${token}`)).text)),
  )
  for (const { requestId, ...said } of answers) {
    expect(requestId).toMatch(/^req_/)
    expect(said).toEqual({ error: 'Sign in to do this.', code: 'auth.required' })
  }
})

it('lets an access token in for fifteen minutes', async () => {
  const me = await newUser()
  const minutes = (ahead: number) => serviceWith({ ahead: ahead * 60_000 }).call(getMe, { as: me })
  expect((await minutes(14.9)).status).toBe(200)
  expect((await minutes(15.1)).status).toBe(401)
})

it('bears with clocks of other machines that are a little apart', async () => {
  const me = await newUser()
  const seconds = (ahead: number) => serviceWith({ ahead: ahead * 1000 }).call(getMe, { as: me })
  expect((await seconds(-30)).status).toBe(200)
  expect((await seconds(-HOUR)).status).toBe(401)
})

it('verifies with every key of the set, so that keys can be exchanged', async () => {
  const me = await newUser()
  const { publicJwk, privateJwk } = await strangeKey()
  const next = { ...privateJwk, kid: 'next' }
  const { d: _, ...retired } = ownJwk()
  const both = serviceWith({ env: { JWT_KEYS: JSON.stringify({ keys: [next, retired] }) } })
  expect((await both.call(getMe, { as: me })).status).toBe(200)
  const only = { ...publicJwk, kid: 'next' }
  const without = serviceWith({ env: { JWT_KEYS: JSON.stringify({ keys: [only] }) } })
  expect((await without.call(getMe, { as: me })).status).toBe(401)
  expect(await ok(getMe, { as: me })).toMatchObject({ id: me.id })
})
