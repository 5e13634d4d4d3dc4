/**
 * `npm run prove:budgets -- 20000`: so many random bookings and decisions of households on a service over HTTP, and every
 * figure of their budgets compared with books that are kept in memory. `npm run prove:budgets -- 1000 7` begins with seed 7.
 */
import { buildNodeRelease } from '../../../scripts/lib/node-release.ts'
import { freshSecrets } from '../../../src/hosts/node/secrets.ts'
import { runNode, temporaryFolder } from '../../support/running.ts'
import { prove } from './proof.ts'

const steps = Number(process.argv[2] ?? 20_000)
const seed = Number(process.argv[3] ?? Date.now() % 1e9)
const data = temporaryFolder()
const variables = { REGISTRATION: 'open', PASSWORD_COST: '4', USER_LIMIT_DATABASE_MS: '1000000' }
const service = await runNode(await buildNodeRelease(), data.path, {
  ...(await freshSecrets()),
  ...variables,
})
console.log(`Seed ${seed}`)
try {
  const { differences, requests, seconds, taken } = await prove(service.url, { steps, seed })
  for (const one of differences) {
    console.error(JSON.stringify(one, null, 1))
  }
  const kinds = [...taken].toSorted(([, a], [, b]) => b - a)
  console.log(kinds.map(([name, times]) => `${name} ${times}`).join(', '))
  console.log(
    `${steps} steps in ${requests} requests and ${seconds.toFixed(0)} s: ${differences.length} differences.`,
  )
  process.exitCode = differences.length === 0 ? 0 : 1
} finally {
  await service.stop()
  data.remove()
}
