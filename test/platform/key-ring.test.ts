import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../src/domain/errors.ts'
import { type EncryptionKey, settingsOf } from '../../src/env.ts'
import {
  isSealedWithNewest,
  openSecret,
  type SecretPlace,
  sealSecret,
} from '../../src/platform/secrets/key-ring.ts'
import { contextWith } from '../support/service.ts'
import { someBytes } from '../support/of-file.ts'

const newKey = (id: string): EncryptionKey => ({
  id,
  bytes: someBytes(32),
})

const ctxWith = (...encryptionKeys: EncryptionKey[]) =>
  contextWith({ settings: { ...settingsOf(env), encryptionKeys } })

const place: SecretPlace = { table: 'mfa_factors', id: 'mfa_1', field: 'secret' }
const TEXT = 'JBSWY3DPEHPK3PXP ☂'

const [oldKey, newestKey] = [newKey('old'), newKey('new')]
const ctx = ctxWith(newestKey, oldKey)

const refusal = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => 'opened',
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(AppError)
  const { kind, code, message } = error as AppError
  expect(message).toBe('The service failed. Try again later.')
  return [kind, code]
}
const UNREADABLE = ['internal', 'secrets.unreadable']

describe('a sealed secret', () => {
  it('opens in its place', async () => {
    for (const text of [TEXT, '', 'x'.repeat(100_000)]) {
      expect(await openSecret(ctx, place, await sealSecret(ctx, place, text))).toBe(text)
    }
  })

  it('names version and key, shows nothing of the text and is another one each time', async () => {
    const records = await Promise.all(
      Array.from({ length: 20 }, () => sealSecret(ctx, place, TEXT)),
    )
    expect(new Set(records).size).toBe(20)
    for (const record of records) {
      expect(record).toMatch(/^v1\.new\.[\w-]+$/)
    }
  })

  it.each([
    ['row', { id: 'mfa_2' }],
    ['table', { table: 'identity_providers' }],
    ['field', { field: 'secret_before' }],
  ])('does not open in another %s', async (_, elsewhere) => {
    const record = await sealSecret(ctx, place, TEXT)
    const moved = openSecret(ctx, { ...place, ...elsewhere }, record)
    expect(await refusal(moved)).toEqual(UNREADABLE)
  })

  it('does not open when only the borders between table, row and field move', async () => {
    const record = await sealSecret(ctx, { table: 'a', id: 'b","c', field: 'd' }, TEXT)
    const moved = openSecret(ctx, { table: 'a","b', id: 'c', field: 'd' }, record)
    expect(await refusal(moved)).toEqual(UNREADABLE)
  })

  it('does not open with any bit flipped', async () => {
    const record = await sealSecret(ctx, place, 'seed')
    for (let at = 0; at < record.length; at++) {
      for (let bit = 0; bit < 7; bit++) {
        const flipped = String.fromCharCode(record.charCodeAt(at) ^ (1 << bit))
        const changed = record.slice(0, at) + flipped + record.slice(at + 1)
        expect(await refusal(openSecret(ctx, place, changed)), changed).toEqual(UNREADABLE)
      }
    }
  })

  it.each([
    ['nothing', ''],
    ['plain text', 'JBSWY3DPEHPK3PXP'],
    ['no ciphertext', 'v1.new.'],
    ['a nonce alone', `v1.new.${'A'.repeat(16)}`],
    ['another alphabet', 'v1.new.++++++++++++++++++++++++++++++++++++++++'],
    ['another version', 'v2.new.AAAA'],
  ])('is not %s', async (_, record) => {
    expect(await refusal(openSecret(ctx, place, record))).toEqual(UNREADABLE)
  })

  it('is not a record with something appended, padded or cut', async () => {
    const record = await sealSecret(ctx, place, TEXT)
    for (const changed of [`${record}.`, `${record}=`, ` ${record}`, record.slice(0, -1)]) {
      expect(await refusal(openSecret(ctx, place, changed))).toEqual(UNREADABLE)
    }
  })
})

describe('the key ring', () => {
  it('opens with every key that it holds, and seals with the newest', async () => {
    const record = await sealSecret(ctxWith(oldKey), place, TEXT)
    expect(record).toMatch(/^v1\.old\./)
    expect(await openSecret(ctx, place, record)).toBe(TEXT)
    expect(await sealSecret(ctx, place, TEXT)).toMatch(/^v1\.new\./)
  })

  it('knows what is not under the newest key', async () => {
    const [before, after] = await Promise.all([
      sealSecret(ctxWith(oldKey), place, TEXT),
      sealSecret(ctx, place, TEXT),
    ])
    expect([before, after].map((record) => isSealedWithNewest(ctx, record))).toEqual([false, true])
  })

  it('opens nothing with a key that was taken out, or with another one of its name', async () => {
    const record = await sealSecret(ctx, place, TEXT)
    expect(await refusal(openSecret(ctxWith(oldKey), place, record))).toEqual(UNREADABLE)
    expect(await refusal(openSecret(ctxWith(newKey('new')), place, record))).toEqual(UNREADABLE)
  })

  it('opens nothing by a record that names another key of the ring', async () => {
    const record = await sealSecret(ctx, place, TEXT)
    const twin = { ...newestKey, id: 'twin' }
    const renamed = record.replace('.new.', '.twin.')
    expect(await refusal(openSecret(ctxWith(newestKey, twin), place, renamed))).toEqual(UNREADABLE)
  })
})

describe('ENCRYPTION_KEYS', () => {
  const key = Buffer.from(someBytes(32)).toString('base64')
  const misconfigured = (text: string) => {
    try {
      return settingsOf({ ...env, ENCRYPTION_KEYS: text }).encryptionKeys
    } catch (error) {
      const { code, cause } = error as AppError
      expect((cause as Error).message).toContain('ENCRYPTION_KEYS')
      expect((cause as Error).message).not.toContain(text.slice(10, 30) || 'undefined')
      return code
    }
  }

  it('are read newest first', () => {
    const fresh = () => Buffer.from(someBytes(32)).toString('base64')
    const text = JSON.stringify([
      { id: 'b', key: fresh() },
      { id: 'a', key: fresh() },
    ])
    expect(
      settingsOf({ ...env, ENCRYPTION_KEYS: text }).encryptionKeys.map(({ id }) => id),
    ).toEqual(['b', 'a'])
  })

  it.each([
    ['missing', ''],
    ['not JSON', 'x'.repeat(40)],
    ['no list', JSON.stringify({ id: 'a', key })],
    ['empty', `[${' '.repeat(40)}]`],
    ['too short', JSON.stringify([{ id: 'a', key: btoa('k'.repeat(31)) }])],
    ['without an id', JSON.stringify([{ key }])],
    ['with a dot in an id', JSON.stringify([{ id: 'a.b', key }])],
    [
      'of one name',
      JSON.stringify([
        { id: 'a', key },
        { id: 'a', key },
      ]),
    ],
  ])('stop every request when they are %s', (_, text) => {
    expect(misconfigured(text)).toBe('service.misconfigured')
  })
})
