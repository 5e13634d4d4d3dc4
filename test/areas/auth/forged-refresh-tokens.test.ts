import { describe, expect, it } from 'vitest'
import { refreshToken as refreshTokenRoute } from '../../../src/areas/identity/auth/auth.routes.ts'
import { freshToken } from '../../../src/areas/identity/auth/auth.usecases.ts'
import { coreOf } from '../../../src/domain/ids.ts'
import { newOwnedToken, newPersonalToken } from '../../../src/platform/secrets/owned-tokens.ts'
import { call, fetchRaw, ok, rows } from '../../support/api.ts'
import { contextWith } from '../../support/service.ts'
import { newUser, type TestUser } from '../../support/world.ts'
import { forgers } from './forgers.ts'
import { base64Url, partsOf } from './tokens.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

const send = async (body: string) => {
  const response = await fetchRaw('/auth/refresh-token', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  })
  return response.status
}

/** Makes sure that a token works before and after what others try. The next one is of the same session. */
async function around(attack: (me: TestUser) => Promise<void>) {
  const user = await newUser()
  const { refreshToken } = await ok(refreshTokenRoute, {
    json: { refreshToken: user.refreshToken },
  })
  await attack({ ...user, refreshToken })
  const after = await call(refreshTokenRoute, { json: { refreshToken } })
  expect(after.status, after.text).toBe(200)
  const live = await rows(
    'SELECT id FROM sessions WHERE user_id = ? AND revoked_at IS NULL',
    user.id,
  )
  expect(live).toHaveLength(1)
}

/** Near misses of a token, and tokens that are for something else. */
async function misses({ id, email, password, accessToken, refreshToken }: TestUser) {
  const name = `rft_${coreOf(id)}_`
  const secret = refreshToken.slice(name.length)
  const bytes = new Uint8Array(Buffer.from(secret, 'base64url'))
  const flipped = Array.from({ length: 256 }, (_, bit) => {
    const copy = bytes.slice()
    copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    return `${name}${base64Url(copy)}`
  })
  const last = secret.at(-1) ?? ''
  const sameBits = ALPHABET[ALPHABET.indexOf(last) ^ 1] ?? ''
  const ctx = contextWith()
  const stranger = await newUser()
  const [stored] = await rows<{ token_hash: string; session_id: string }>(
    `SELECT t.* FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id
      WHERE s.user_id = ? AND spent_at IS NULL`,
    id,
  )
  const fresh = await Promise.all(
    ['rft', 'mft', 'pwr', 'emv', 'sic'].map(async (prefix) => (await freshToken(ctx, prefix)).text),
  )
  return [
    ...flipped,
    ...fresh,
    newPersonalToken(ctx, id).text,
    newOwnedToken(ctx, 'rft', id).text,
    ...[`rft_${secret}`, `rft_${coreOf(stranger.id)}_${secret}`, `rft_${id}_${secret}`],
    ...['mft', 'pwr', 'emv', 'sic', 'pat', 'RFT', 'rft-', ''].flatMap((prefix) => [
      `${prefix}_${secret}`,
      `${prefix}_${coreOf(id)}_${secret}`,
    ]),
    ...[
      secret,
      `rft_${name}${secret}`,
      `${name}_${secret}`,
      `${name}${secret.slice(0, -1)}${sameBits}`,
    ],
    ...[`${refreshToken}=`, `${refreshToken}.`, `${refreshToken} `, ` ${refreshToken}`],
    ...[`"${refreshToken}"`, `Bearer ${refreshToken}`, `${refreshToken},${refreshToken}`],
    ...[`${refreshToken}\n`, `\ufeff${refreshToken}`, `${refreshToken}\u200b`],
    ...[
      refreshToken.toUpperCase(),
      refreshToken.toLowerCase(),
      refreshToken.normalize('NFD') + '\u0301',
    ],
    ...[refreshToken.slice(0, -1), refreshToken.slice(0, 20), `rft_`, name, `${refreshToken}A`],
    ...[
      `${name}${Buffer.from(bytes).toString('hex')}`,
      `${name}${Buffer.from(bytes).toString('base64')}=`,
      [...secret].toReversed().join(''),
    ],
    ...[stored?.token_hash, `rft_${stored?.token_hash}`, stored?.session_id].map(String),
    ...[id, email, password, accessToken.slice(0, 200), accessToken.split('.')[2] ?? ''],
    ...['%', '_', '*', `rft_${'_'.repeat(43)}`, `rft_${'A'.repeat(43)}`, "' OR 1=1--", 'null'],
    ...['undefined', 'true', '0', '[object Object]', '../rft_', 'x'.repeat(200)],
  ].filter((token) => token !== refreshToken)
}

describe('POST /auth/refresh-token', () => {
  it('takes no access token, real or forged', () =>
    around(async (me) => {
      const forged: string[] = [me.accessToken]
      for (const forge of Object.values(forgers)) {
        forged.push(...Object.values(await forge(me, partsOf(me))))
      }
      const tokens = forged.filter((token) => token !== me.refreshToken)
      expect(tokens.length).toBeGreaterThan(240)
      const wrong = await Promise.all(
        tokens.map(async (token) => {
          // What is longer than any refresh token has not the shape of a request.
          const expected = token.length > 200 || token === '' ? 400 : 401
          const status = await send(JSON.stringify({ refreshToken: token }))
          return status === expected ? [] : [token.slice(0, 80), status]
        }),
      )
      expect(wrong.flat()).toEqual([])
    }))

  it('takes nothing that is almost a token, and no token for something else', () =>
    around(async (me) => {
      const tokens = await misses(me)
      expect(tokens.length).toBeGreaterThan(240)
      const wrong = await Promise.all(
        tokens.map(async (refreshToken) => {
          const status = await send(JSON.stringify({ refreshToken }))
          return status === 401 ? [] : [refreshToken.slice(0, 80), status]
        }),
      )
      expect(wrong.flat()).toEqual([])
    }))

  it('takes no body of another shape', () =>
    around(async ({ refreshToken, accessToken }) => {
      const text = JSON.stringify(refreshToken)
      const bodies = [
        ...['', '{', '[]', 'null', '1', text, `[${text}]`, '{}', `{"token":${text}}`],
        ...[`{"refresh_token":${text}}`, `{"RefreshToken":${text}}`, `{"refreshToken":null}`],
        ...[`{"refreshToken":""}`, `{"refreshToken":1}`, `{"refreshToken":true}`],
        ...[`{"refreshToken":[${text}]}`, `{"refreshToken":{"":${text}}}`],
        ...[`{"refreshToken":${text},"refreshToken":${text}}`, `{"refreshToken":${text}}x`],
        ...[`{"refreshToken":"x","refreshToken":${text}}`, `{"refreshToken":${text},"sid":"x"}`],
        ...[`{"__proto__":{"refreshToken":${text}}}`, `{"refreshToken":"\\u0000"}`],
        ...[`{"refreshToken":"\\ud800"}`, `{"refreshToken":"${'x'.repeat(201)}"}`],
        ...[`${'['.repeat(100)}${text}${']'.repeat(100)}`, `{'refreshToken':${text}}`],
      ]
      const statuses = await Promise.all(bodies.map(send))
      expect(statuses).toEqual(bodies.map(() => 400))
      const elsewhere = await Promise.all([
        fetchRaw(`/auth/refresh-token?refreshToken=${refreshToken}`, { method: 'POST' }),
        fetchRaw('/auth/refresh-token', {
          method: 'POST',
          headers: {
            Authorization: `Bearer ${refreshToken}`,
            Cookie: `refreshToken=${refreshToken}`,
          },
        }),
        fetchRaw('/auth/refresh-token', { headers: { Authorization: `Bearer ${accessToken}` } }),
      ])
      expect(elsewhere.map(({ status }) => status)).toEqual([415, 415, 405])
    }))
})
