/**
 * `npm run prove:money -- 20000`: so many random writes on a release over HTTP, by several clients at once,
 * against books that are kept in memory with whole numbers. Then every balance, register, sum and total is
 * compared, and the ledger with itself.
 */
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshSecrets } from '../../src/hosts/node/secrets.ts'
import { buildRelease, startRelease } from '../../scripts/lib/release.ts'
import { runScript } from '../support/running.ts'
import { prove } from './proof.ts'

const steps = Number(process.argv[2] ?? 20_000)
const seed = Number(process.argv[3] ?? Date.now() % 1e9)
const data = mkdtempSync(join(tmpdir(), 'coffer-proof-'))
const unlimited = { REGISTRATION: 'open', USER_LIMIT_DATABASE_MS: '1000000' }
const bindings = { ...(await freshSecrets()), ...unlimited }
const service = await startRelease({ script: buildRelease(), data, bindings })
console.log(`Seed ${seed}`)
const { differences, lines, requests, seconds } = await prove(service.url, steps, seed)
await service.stop()
for (const { of, said, meant } of differences) {
  console.error(of, said, meant)
}
console.log(
  `${steps} steps in ${requests} requests and ${seconds.toFixed(0)} s, ${lines} lines at the end: ${differences.length} differences.`,
)
// The release keeps its database under another name than the data folder of a service on Node.
const folder = join(data, 'v3/d1/miniflare-D1DatabaseObject')
for (const file of readdirSync(folder).filter((name) => /^[0-9a-f]{64}\./.test(name))) {
  copyFileSync(join(folder, file), join(data, file.replace(/^[0-9a-f]{64}/, 'coffer')))
}
const check = await runScript('scripts/start.ts', ['check-ledger'], {
  env: { COFFER_DATA: data, ...bindings },
})
console.log(check.printed.trim())
rmSync(data, { recursive: true })
process.exitCode = differences.length === 0 && check.code === 0 ? 0 : 1
