import { newUser, type TestUser } from '../../support/world.ts'
import {
  base64Url,
  fromBase64Url,
  named,
  hmacSigned,
  ownJwk,
  partsOf,
  signed,
  signedText,
  strangeKey,
  unsigned,
} from './tokens.ts'

// The vectors of Wycheproof are in no package of the registry: those of Ed25519 are made here after the same
// ideas, from a signature of the service itself.

/** Of the group that Ed25519 signs in: S must be less. */
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n

/** Every encoding of a point of small order, canonical and not. */
const SMALL_ORDER = [
  '0100000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000080',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0000000000000000000000000000000000000000000000000000000000000080',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
]

const fromHex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'))
const toText = (bytes: Uint8Array, encoding: 'base64' | 'hex') =>
  Buffer.from(bytes).toString(encoding)

/** What a public key of Ed25519 begins with in DER. */
const SPKI_OF_ED25519 = fromHex('302a300506032b6570032100')

const COMMON_SECRETS = [
  ...[
    'secret',
    'Secret',
    'SECRET',
    'secret123',
    'secretkey',
    'secret-key',
    'secret_key',
    'mysecret',
  ],
  ...['your-256-bit-secret', 'your-384-bit-secret', 'your-512-bit-secret', 'your_jwt_secret'],
  ...[
    'jwt',
    'jwtsecret',
    'jwt-secret',
    'jwt_secret',
    'JWT_SECRET',
    'jwtkey',
    'token',
    'tokensecret',
  ],
  ...['key', 'private', 'privatekey', 'public', 'test', 'testing', 'dev', 'development', 'prod'],
  ...['password', 'Password1', 'passw0rd', 'changeme', 'admin', 'root', 'user', 'guest', 'default'],
  ...['123456', '12345678', '1234567890', 'qwerty', 'abc123', 'letmein', 'hello', 'helloworld'],
  ...['coffer', 'Coffer', 'coffer-api', 'coffer.test', 'usr_', 'at+jwt', 'EdDSA', 'APP_SECRET'],
  ...['\u0000', ' ', 'null', 'undefined', '{}', '[]', '0', 'a', 'x'.repeat(64), 'keyboard cat'],
]

const bigOf = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes.toReversed()).toString('hex')}`)

const littleEndian = (number: bigint) =>
  new Uint8Array(
    Buffer.from((number % 2n ** 256n).toString(16).padStart(64, '0'), 'hex'),
  ).toReversed()

const now = () => Math.floor(Date.now() / 1000)
const HOUR = 3600
const ownKid = ownJwk().kid

/** What each forger makes of a good token; none may be let in. */
type Forger = (me: TestUser, parts: ReturnType<typeof partsOf>) => Promise<Record<string, string>>

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

export const forgers: Record<string, Forger> = {
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

  'tokens signed with the public key as if it were a shared one': async (_, { header, claims }) => {
    const { kty, crv, x, kid } = ownJwk()
    const raw = fromBase64Url(x)
    const der = new Uint8Array([...SPKI_OF_ED25519, ...raw])
    const pem = `-----BEGIN PUBLIC KEY-----\n${toText(der, 'base64')}\n-----END PUBLIC KEY-----`
    const jwk = { kty, crv, x }
    const secrets = [
      ...[
        x,
        raw,
        toText(raw, 'base64'),
        toText(raw, 'hex'),
        der,
        toText(der, 'base64'),
        pem,
        `${pem}\n`,
        kid,
      ],
      ...[jwk, { crv, kty, x }, { ...jwk, kid }, { keys: [jwk] }].map((one) => JSON.stringify(one)),
    ]
    return named(
      secrets.flatMap((secret, at) =>
        ['HS256', 'HS512', 'EdDSA'].map((alg): [string, Promise<string>] => [
          `${alg} ${at}`,
          hmacSigned({ ...header, alg }, claims, secret),
        ]),
      ),
    )
  },

  'tokens signed with a word that others use': async (_, { header, claims }) =>
    named(
      COMMON_SECRETS.map((secret) => [
        `HS256 ${secret}`,
        hmacSigned({ ...header, alg: 'HS256' }, claims, secret),
      ]),
    ),

  'tokens signed on another curve, or with RSA': async (_, { header, claims }) => {
    const algorithms = [
      ['ES256', { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }],
      ['ES384', { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' }],
      [
        'RS256',
        {
          name: 'RSASSA-PKCS1-v1_5',
          hash: 'SHA-256',
          modulusLength: 2048,
          publicExponent: new Uint8Array([1, 0, 1]),
        },
      ],
    ] as const
    const made = await Promise.all(
      algorithms.map(async ([alg, algorithm]) => {
        const key = (await crypto.subtle.generateKey(algorithm, true, ['sign'])) as CryptoKeyPair
        const jwk = await crypto.subtle.exportKey('jwk', key.publicKey)
        const by = { key: key.privateKey, algorithm }
        return [
          [`${alg} as EdDSA`, signed(header, claims, by)],
          [`${alg} as itself`, signed({ ...header, alg }, claims, by)],
          [`${alg} with its key`, signed({ ...header, alg, jwk }, claims, by)],
        ] as [string, Promise<string>][]
      }),
    )
    return named(made.flat())
  },

  'signatures that only look like one of Ed25519': async ({ accessToken }) => {
    const [header = '', claims = '', given = ''] = accessToken.split('.')
    const signature = fromBase64Url(given)
    const [r, s] = [signature.slice(0, 32), signature.slice(32)]
    const zero = new Uint8Array(32)
    const join = (...parts: Uint8Array[]) => new Uint8Array(parts.flatMap((part) => [...part]))
    const signText = async (text: string) =>
      fromBase64Url((await signedText(text)).slice(text.length + 1))
    const otherR = join(r.slice(0, 31), new Uint8Array([(r[31] ?? 0) ^ 128]))
    const vectors: [string, Uint8Array][] = [
      ...[1n, 2n, 3n, 7n].map((times): [string, Uint8Array] => [
        `S and ${times} times the order`,
        join(r, littleEndian(bigOf(s) + times * ORDER)),
      ]),
      ['S negated', join(r, littleEndian(ORDER - bigOf(s)))],
      ['S is the order', join(r, littleEndian(ORDER))],
      ['S is zero', join(r, zero)],
      ['S is one', join(r, littleEndian(1n))],
      [
        'S is all ones',
        join(
          r,
          zero.map(() => 255),
        ),
      ],
      ['R negated', join(otherR, s)],
      ['R is zero', join(zero, s)],
      ['R and S swapped', join(s, r)],
      ['R reversed', join(r.toReversed(), s)],
      ['S reversed', join(r, s.toReversed())],
      ['R twice', join(r, r)],
      ['S twice', join(s, s)],
      ['its last byte gone', signature.slice(0, 63)],
      ['its first byte gone', signature.slice(1)],
      ['a zero behind', join(signature, new Uint8Array(1))],
      ['a zero in front', join(new Uint8Array(1), signature)],
      ['twice', join(signature, signature)],
      ['in DER', join(new Uint8Array([48, 68, 2, 32]), r, new Uint8Array([2, 32]), s)],
      ['as hexadecimal text', new TextEncoder().encode(toText(signature, 'hex'))],
      ['of the header', await signText(header)],
      ['of the claims', await signText(claims)],
      ['of no text', await signText('')],
      ['of the parts without a dot', await signText(`${header}${claims}`)],
      ['of the parts with two dots', await signText(`${header}.${claims}.`)],
      ['of the parts as JSON', await signText(new TextDecoder().decode(fromBase64Url(claims)))],
      ...SMALL_ORDER.flatMap((point): [string, Uint8Array][] => [
        [`R of small order ${point}, S zero`, join(fromHex(point), zero)],
        [`R of small order ${point}`, join(fromHex(point), s)],
      ]),
    ]
    return named(vectors.map(([name, bytes]) => [name, `${header}.${claims}.${base64Url(bytes)}`]))
  },

  'keys that a token brings or points to': async (_, { header, claims }) => {
    const { privateKey, publicJwk, privateJwk } = await strangeKey()
    const { kid } = header as { kid: string }
    const kids = [
      ...[
        '/dev/null',
        '../../../../dev/null',
        'file:///proc/self/environ',
        'https://evil.example/k',
      ],
      ...[`${kid}\u0000`, ` ${kid}`, `${kid} `, kid.toUpperCase(), `${kid}/../${kid}`, '*', '%00'],
      ...["' OR 1=1--", `${kid}' UNION SELECT 'x`, '__proto__', 'constructor', 'keys', '0'],
      ...['x'.repeat(10_000), `$(sleep 5)`, `{{${kid}}}`, '\u202e', JSON.stringify(publicJwk)],
    ]
    const brought = [
      { jwk: { ...publicJwk, kid } },
      { jwk: privateJwk },
      { jwks: { keys: [{ ...publicJwk, kid }] } },
      ...['jku', 'x5u', 'iss'].flatMap((name) => [
        { [name]: 'https://evil.example/jwks.json' },
        { [name]: 'http://coffer.test/.well-known/jwks.json' },
        { [name]: 'file:///etc/passwd' },
        { [name]: `data:application/json,${JSON.stringify({ keys: [publicJwk] })}` },
      ]),
      { x5c: [publicJwk.x] },
      { x5t: publicJwk.x },
      { epk: publicJwk },
    ]
    return named([
      ...kids.map((one): [string, Promise<string>] => [
        `kid ${one.slice(0, 40)}`,
        signed({ ...header, kid: one }, claims, privateKey),
      ]),
      ...brought.map((one): [string, Promise<string>] => [
        JSON.stringify(one).slice(0, 60),
        signed({ ...header, ...one }, claims, privateKey),
      ]),
    ])
  },

  'tokens that say something twice': async (me, { header, claims }) => {
    const { privateKey } = await strangeKey()
    const other = partsOf(await newUser()).claims
    const head = JSON.stringify(header)
    const body = JSON.stringify(claims)
    const text = (one: string, two: string) => `${base64Url(one)}.${base64Url(two)}`
    const first = (json: string, name: string, value: unknown) =>
      json.replace('{', `{${JSON.stringify(name)}:${JSON.stringify(value)},`)
    const last = (json: string, name: string, value: unknown) =>
      json.replace(/}$/, `,${JSON.stringify(name)}:${JSON.stringify(value)}}`)
    return named([
      ['alg none first, unsigned', `${text(first(head, 'alg', 'none'), body)}.`],
      ['alg none last, unsigned', `${text(last(head, 'alg', 'none'), body)}.`],
      ['alg none last, signed', signedText(text(last(head, 'alg', 'none'), body))],
      ['kid twice', signedText(text(last(head, 'kid', 'other'), body))],
      ['typ twice', signedText(text(last(head, 'typ', 'JWT'), body))],
      ['aud twice', signedText(text(head, last(body, 'aud', 'other')))],
      ['iss twice', signedText(text(head, last(body, 'iss', 'other')))],
      ['exp twice', signedText(text(head, last(body, 'exp', 1)))],
      ['sub twice', signedText(text(head, last(body, 'sub', other['sub'])))],
      ['sid twice', signedText(text(head, last(body, 'sid', other['sid'])))],
      ['sub twice, of another key', signedText(text(head, last(body, 'sub', me.id)), privateKey)],
      ['claims in claims', signed(header, { ...claims, sub: { ...claims } })],
      ['claims in the header', signed({ ...header, ...claims }, { sub: claims['sub'] })],
      ['__proto__', signed(header, JSON.parse(`{"__proto__":${body}}`) as object)],
      ['a token in a token', signed({ ...header, cty: 'JWT' }, me.accessToken)],
    ])
  },

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
    { b64: false },
    { b64: true },
    { zip: 'DEF' },
    { enc: 'A256GCM' },
    { cty: 'JWT' },
    { iat: 0 },
    { jti: 'jti_x' },
  ]),

  'headers written in another way': async (_, { header, claims }) => {
    const { alg, typ, kid } = header
    const body = base64Url(JSON.stringify(claims))
    const head = JSON.stringify(header)
    const texts = {
      'other order': JSON.stringify({ typ, alg, kid }),
      'alg twice': head.replace('{', '{"alg":"EdDSA",'),
      'typ twice': head.replace('{', '{"typ":"at+jwt",'),
      'kid twice': head.replace(/}$/, `,"kid":${JSON.stringify(kid)}}`),
      'an escaped name': head.replace('"alg"', String.raw`"\u0061lg"`),
      'white space': JSON.stringify(header, null, 1),
      'a byte order mark': `\ufeff${head}`,
    }
    return named(
      Object.entries(texts).map(([name, text]) => [name, signedText(`${base64Url(text)}.${body}`)]),
    )
  },

  'claims that are written twice, with what is true': async (_, { header, claims }) => {
    const head = base64Url(JSON.stringify(header))
    const body = JSON.stringify(claims)
    return named(
      Object.entries(claims).map(([name, value]) => [
        name,
        signedText(
          `${head}.${base64Url(body.replace('{', `{${JSON.stringify({ [name]: value }).slice(1, -1)},`))}`,
        ),
      ]),
    )
  },

  'times that we do not issue': changedClaims(() => [
    { exp: Date.UTC(9999, 0) / 1000 },
    { exp: now() + HOUR },
    { exp: now() + 60 },
    { iat: now() - 60 },
    { iat: now() - 60, exp: now() + 900 },
    { iat: now() + 0.5, exp: now() + 900.5 },
    { nbf: now() - HOUR },
    { nbf: now() },
    { jti: undefined },
    { jti: 1 },
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
      ...[['the refresh token', refreshToken] as const, ['the id of the user', id] as const],
      ...[
        ['an invite code', `inc_${'A'.repeat(22)}`] as const,
        ['dots', '.'.repeat(10_000)] as const,
      ],
      ['a personal access token', `pat_${id.slice(4)}_${'A'.repeat(43)}`],
      ['the password', password.replaceAll(' ', '')],
      ...[['a word', 'undefined'] as const, ['much', 'A'.repeat(100_000)] as const],
      ['much in parts', `${'A'.repeat(50_000)}.${'A'.repeat(50_000)}.${'A'.repeat(86)}`],
    ]),
}
