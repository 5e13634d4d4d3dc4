import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { AppError } from '../../src/domain/errors.ts'
import { type Bindings, settingsOf } from '../../src/env.ts'
import { someBytes } from '../support/of-file.ts'

/** What an operator is told of the first variable that is wrong; undefined when the service starts. */
function complaint(changed: Partial<Bindings>): string | undefined {
  try {
    settingsOf({ ...env, ...changed })
    return undefined
  } catch (error) {
    const { code, cause } = error as AppError
    expect(code).toBe('service.misconfigured')
    return (cause as Error).message
  }
}

const [own] = (JSON.parse(env.JWT_KEYS) as { keys: Record<string, string>[] }).keys
const keys = (...changed: object[]) => JSON.stringify({ keys: changed })
const ring = (key: string) => JSON.stringify([{ id: 'one', key }])
const random = Buffer.from(someBytes(32)).toString('base64')
const zeros = Buffer.alloc(32).toString('base64')
const half = Buffer.from(someBytes(16))

describe('the secrets', () => {
  it('of the service itself are good', () => {
    expect(complaint({})).toBeUndefined()
    expect(complaint({ APP_SECRET: random, ENCRYPTION_KEYS: ring(random) })).toBeUndefined()
    const { d: _, ...publicHalf } = { ...own, kid: 'older' } as Record<string, string>
    expect(complaint({ JWT_KEYS: keys({ ...own }, publicHalf) })).toBeUndefined()
  })

  it.each([
    ['is missing', '', 'missing or shorter than 32 characters'],
    ['is short', random.slice(0, 31), 'missing or shorter than 32 characters'],
    ['is one character', 'a'.repeat(44), 'has too few different characters'],
    ['is all zeros', '0'.repeat(64), 'has too few different characters'],
    ['repeats a few characters', 'ab12cd34ef56'.repeat(4), 'repeats itself'],
    ['is a placeholder', 'please-ChangeMe-before-you-deploy-this!', '"changeme"'],
    ['holds a well-known password', 'Tr0ub4dor-passw0rd-9-2-x-7-q-4-z-1-y', '"passw0rd"'],
    ['names the service', 'the-key-of-our-Coffer-at-home-19-82-7', '"coffer"'],
    ['runs up the alphabet', 'ghijklmnopqrstuvwxyz{|}~!"#$%&()*+,-./', 'is a sequence'],
  ])('refuse to start when APP_SECRET %s', (_, APP_SECRET, expected) => {
    expect(complaint({ APP_SECRET })).toContain(expected)
    expect(complaint({ APP_SECRET })).toContain('APP_SECRET')
  })

  it.each([
    ['is no JSON', 'x'.repeat(40), 'is not a list'],
    ['is empty', `[]${' '.repeat(40)}`, 'is not a list'],
    ['is of 31 bytes', ring(Buffer.alloc(31, 'x').toString('base64')), 'is not a list'],
    ['is no base64', ring(`${random.slice(0, -2)}*=`), 'is not a list'],
    ['is all zeros', ring(zeros), 'has too few different characters'],
    [
      'is a text',
      ring(Buffer.from('secret-secret-secret-secret-key!').toString('base64')),
      '"secret"',
    ],
    ['says one half twice', ring(Buffer.concat([half, half]).toString('base64')), 'repeats itself'],
  ])('refuse to start when ENCRYPTION_KEYS %s', (_, ENCRYPTION_KEYS, expected) => {
    expect(complaint({ ENCRYPTION_KEYS })).toContain(expected)
    expect(complaint({ ENCRYPTION_KEYS })).toContain('ENCRYPTION_KEYS')
  })

  /** With another first character. */
  const other = (text: string) => `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`

  it.each([
    ['is no JSON', 'x'.repeat(40)],
    ['is empty', keys() + ' '.repeat(40)],
    ['has no list', JSON.stringify({ key: own })],
    ['cannot sign', keys({ ...own, d: undefined })],
    ['is of another kind', keys({ ...own, crv: 'X25519' })],
    ['has no name', keys({ ...own, kid: undefined })],
    ['has one name twice', keys({ ...own }, { ...own })],
    ['has the public half of another', keys({ ...own, x: other(own?.['x'] ?? '') })],
    ['has a private half that is too short', keys({ ...own, d: own?.['d']?.slice(0, -4) })],
  ])('refuse to start when JWT_KEYS %s', (_, JWT_KEYS) => {
    expect(complaint({ JWT_KEYS })).toContain('JWT_KEYS is not a JWK set')
  })

  it('refuse to start with a signing key of zeros, and show no part of it', () => {
    // The public half of 32 zero bytes (RFC 8032).
    const x = 'O2onvM62pC1io6jQKm8Nc2UyFXcd4kOmOsBIoYtZ2ik'
    const d = Buffer.alloc(32).toString('base64url')
    const told = complaint({ JWT_KEYS: keys({ ...own, d, x }) })
    expect(told).toContain('JWT_KEYS has too few different characters')
    expect(told).not.toContain(d)
  })
})
