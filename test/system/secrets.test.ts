import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Secrets } from '../../src/hosts/node/secrets.ts'
import { stepAt, totpOf } from '../../src/areas/identity/auth/auth.rules.ts'
import { DEAF_MAIL_SERVER, type Release, startService } from '../support/releases.ts'
import { temporaryFolder } from '../support/running.ts'

// One of every secret, made by a release as it runs: what it logs and the bytes of its database hold none.
// The tests inside of the runtime look at every answer (test/support/canaries.ts); these are the files.

const PASSWORD = 'the first canary of them all'
const CLIENT_SECRET = 'the canary of an identity provider'
const data = temporaryFolder()
const logged: string[] = []
const shown: Record<string, string> = {}
let bindings: Secrets
let service: Release

beforeAll(async () => {
  const onLog = (line: string) => logged.push(line)
  service = await startService({ ...DEAF_MAIL_SERVER, data: data.path, onLog })
  bindings = service.secrets
  await useAll(await service.invite())
  await service.stop()
})

afterAll(() => data.remove())

/** Everything that makes or takes a secret, each POST with a key for which its answer is kept. */
async function useAll(inviteCode: string) {
  const owner = { email: 'owner@coffer.test', password: PASSWORD }
  const { accessToken, refreshToken } = await post('/auth/register', {
    ...owner,
    name: 'Owner',
    inviteCode,
  })
  const next = await post('/auth/refresh-token', { refreshToken })
  const wrongPassword = 'a canary that opens nothing'
  await post('/auth/v2/login', { ...owner, password: wrongPassword }, undefined, 401)
  await post('/auth/password/forgot', { email: owner.email })
  await post('/auth/email/resend', {}, next.accessToken)
  const provider = { name: 'One', domain: 'one.example', issuer: 'https://login.one.example' }
  await post(
    '/admin/identity-providers',
    { ...provider, clientId: 'coffer', clientSecret: CLIENT_SECRET },
    next.accessToken,
  )
  const invited = await post('/invite-code', {}, next.accessToken)
  const token = await post('/auth/token', { name: 'One', scopes: ['read'] }, next.accessToken)
  const totp = await post('/auth/mfa/totp', { password: PASSWORD }, next.accessToken)
  const code = await totpOf(totp.secret, stepAt(Date.now()))
  const confirmed = await post('/auth/mfa/totp/confirm', { code }, next.accessToken)
  const challenge = await post('/auth/v2/login', owner)
  const recoveryCode = confirmed.recoveryCodes[0] ?? 'none'
  await post('/auth/v2/login/mfa', { mfaToken: challenge.mfaToken, code: recoveryCode })
  Object.assign(shown, {
    'the invite of the operator': inviteCode,
    'an access token': next.accessToken,
    'another access token': accessToken,
    'a spent refresh token': refreshToken,
    'a refresh token': next.refreshToken,
    'a wrong password': wrongPassword,
    'an invite code': invited.code,
    'a personal access token': token.token,
    'the secret of an app': totp.secret,
    'the token of a second factor': challenge.mfaToken,
    'a recovery code': recoveryCode,
    'a recovery code without its dashes': recoveryCode.replaceAll('-', ''),
  })
}

interface Shown {
  accessToken: string
  refreshToken: string
  mfaToken: string
  code: string
  token: string
  secret: string
  recoveryCodes: string[]
}

async function post(path: string, body: object, as?: string, expected?: number): Promise<Shown> {
  const answer = await fetch(service.url + path, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Idempotency-Key': `canary-${crypto.randomUUID()}`,
      ...(as === undefined ? {} : { Authorization: `Bearer ${as}` }),
    },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  expect(expected ?? 299, `${path} answered ${answer.status} ${text}`).toBeGreaterThanOrEqual(
    answer.status,
  )
  return JSON.parse(text) as Shown
}

/** Every secret, with its bare half where a prefix stands before it. */
function secrets(): [string, string][] {
  const { keys } = JSON.parse(bindings.JWT_KEYS) as { keys: { d: string }[] }
  const ring = JSON.parse(bindings.ENCRYPTION_KEYS) as { key: string }[]
  const all = {
    ...shown,
    'the password': PASSWORD,
    'the secret of a provider': CLIENT_SECRET,
    'the application secret': bindings.APP_SECRET,
    'the key that signs': keys[0]?.d ?? '',
    'the key that seals': ring[0]?.key ?? '',
  }
  return Object.entries(all).flatMap(([name, secret]): [string, string][] => [
    [name, secret],
    [`${name}, without what it begins with`, secret.replace(/^(pat_\w{26}_|[a-z]{3}_)/, '')],
  ])
}

const found = (where: Buffer) =>
  secrets().flatMap(([name, secret]) =>
    secret.length < 12 || where.includes(secret) ? [name] : [],
  )

it('logs no secret, and no code that a mail brings', () => {
  expect(logged.length).toBeGreaterThan(10)
  expect(found(Buffer.from(logged.join('\n')))).toEqual([])
  expect(logged.filter((line) => /\b[a-z]{3}_[\w-]{43}/.test(line))).toEqual([])
})

it('stores no secret but hashed or sealed', () => {
  const files = readdirSync(data.path, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  )
  const bytes = Buffer.concat(files.map((one) => readFileSync(join(one.parentPath, one.name))))
  expect(bytes.includes('owner@coffer.test'), 'these are the files of the database').toBe(true)
  expect(found(bytes)).toEqual([])
  expect(bytes.includes('canary-'), 'keys of requests are hashed').toBe(false)
  expect(bytes.toString('latin1').match(/\b(emv|emc|pwr|rft|mft|sic)_[\w-]{43}/g)).toBeNull()
})
