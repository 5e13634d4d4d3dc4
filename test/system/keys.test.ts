import { afterAll, describe, expect, it } from 'vitest'
import { freshSecrets } from '../../src/hosts/node/secrets.ts'
import { RESEALABLE } from '../../src/platform/secrets/sealed-columns.ts'
import { runScript, temporaryFolder } from '../support/running.ts'

const data = temporaryFolder()
afterAll(data.remove)

const rotate = async (env: Record<string, string>, ...names: string[]) =>
  runScript('scripts/rotate-keys.ts', names, { env })

describe('npm run keys:rotate', () => {
  it('puts a fresh key in front, and keeps the public half of the one before', async () => {
    const { JWT_KEYS } = await freshSecrets()
    const once = await rotate({ JWT_KEYS })
    const [before] = JSON.parse(JWT_KEYS).keys
    const { d: _, ...retired } = before
    const { keys } = JSON.parse(once.printed)
    expect(keys).toEqual([expect.objectContaining({ kty: 'OKP', d: expect.any(String) }), retired])
    expect(keys[0].kid).not.toBe(before.kid)

    const twice = await rotate({ JWT_KEYS: once.printed.trim() })
    const kids = JSON.parse(twice.printed).keys.map(({ kid }: { kid: string }) => kid)
    expect(kids).toEqual([expect.any(String), keys[0].kid])
  })

  it('keeps every key that something may be sealed under', async () => {
    const { ENCRYPTION_KEYS } = await freshSecrets()
    const { printed } = await rotate({ ENCRYPTION_KEYS }, 'ENCRYPTION_KEYS')
    const [fresh, ...older] = JSON.parse(printed)
    expect(older).toEqual(JSON.parse(ENCRYPTION_KEYS))
    expect(Buffer.from(fresh.key, 'base64')).toHaveLength(32)
  })

  it('rotates nothing else', async () => {
    const { code, printed } = await rotate({}, 'APP_SECRET')
    expect([code, printed.trim()]).toEqual([1, 'Only JWT_KEYS and ENCRYPTION_KEYS can be rotated.'])
  })
})

it('npm run secrets:reseal says when there is nothing to do', async () => {
  const env = { COFFER_DATA: data.path }
  // Makes the database.
  await runScript('scripts/start.ts', ['admin-invite'], { env })
  const { code, printed } = await runScript('scripts/start.ts', ['reseal'], { env })
  const sealed = RESEALABLE.map(({ table, column }) => `${table}.${column}`)
  expect([code, printed.trim()]).toEqual([
    0,
    `No record is encrypted with an older key (${sealed.join(', ')}).`,
  ])
})
