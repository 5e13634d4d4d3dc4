import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { freshSecrets } from '../../src/hosts/node/secrets.ts'
import { startRelease } from '../../scripts/lib/release.ts'
import { prove } from '../books/proof.ts'
import { type Running, runScript, temporaryFolder } from '../support/running.ts'

const folder = temporaryFolder()
let service: Running
beforeAll(async () => {
  const bindings = { ...(await freshSecrets()), REGISTRATION: 'open', PASSWORD_COST: '4' }
  service = await startRelease({ script: inject('release'), data: folder.path, bindings })
})
afterAll(folder.remove)

const seed = crypto.getRandomValues(new Uint16Array(1))[0] ?? 0

it(`agrees with books kept in memory, whoever writes at the same time (seed ${seed})`, async () => {
  const { differences, lines } = await prove(service.url, 400, seed)
  expect(differences).toEqual([])
  expect(lines).toBeGreaterThan(50)
  await service.stop()
  const check = await runScript('scripts/check-ledger.ts', [], {
    env: { COFFER_DATA: folder.path },
  })
  expect(check.printed).toContain(' 0 differences.')
  expect(check.code).toBe(0)
})
