/**
 * `npm run bench`: the release bundle next to a bare Worker on the same machine in the same minutes. Rounds
 * alternate, so what else the machine does hits both; what counts is the ratio of the medians.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshSecrets } from '../scripts/lib/dev-vars.ts'
import { applyMigrations } from '../scripts/lib/migrations.ts'
import { inProject } from '../scripts/lib/project.ts'
import { buildRelease, gzipKiB, startRelease, startupMs } from '../scripts/lib/release.ts'
import { startRuntime } from '../scripts/lib/runtime.ts'
import { BARE, BARE_TABLE } from './bare.ts'
import type { Load, Outcome } from './client.ts'

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 7)
const ROUND_MS = Number(process.env['BENCH_ROUND_MS'] ?? 2000)
const CONNECTIONS = 16

const folder = mkdtempSync(join(tmpdir(), 'coffer-bench-'))
const script = buildRelease()
const bindings = { ...(await freshSecrets()), REGISTRATION: 'open' }
const service = await startRelease({ script, data: join(folder, 'service'), bindings })
const bare = await startRuntime({ script: BARE, data: join(folder, 'bare') })
const bareDatabase = await bare.miniflare.getD1Database('DB')
await applyMigrations(bareDatabase)
await bareDatabase.prepare(BARE_TABLE).run()
const client = fork(inProject('bench/client.ts'))

const headers: Record<string, string> = { 'Content-Type': 'application/json' }
const today = '2026-11-20'
const { accessToken } = await post<{ accessToken: string }>('/auth/register', {
  email: 'bench@coffer.test',
  password: 'only for this one bench',
  name: 'Bench',
})
headers['Authorization'] = `Bearer ${accessToken}`
const account = { name: 'Everyday', type: 'checking', currency: 'EUR' }
const { id: accountId } = await post<{ id: string }>('/account', account)
const expense = { kind: 'expense', accountId, date: today, amount: '12.30', description: 'Bread' }

const get = (url: string) => ({ url, method: 'GET' as const, headers })
const send = (url: string) => ({
  url,
  method: 'POST' as const,
  headers,
  body: JSON.stringify(expense),
})

const cases = {
  'bare read': get(`${bare.url}/read`),
  'GET /account': get(`${service.url}/account`),
  'GET /auth/me': get(`${service.url}/auth/me`),
  'GET /health': get(`${service.url}/health`),
  'bare insert': send(`${bare.url}/insert`),
  'POST /transaction': send(`${service.url}/transaction`),
}
const GOALS = [
  { name: 'GET /account', bare: 'bare read', least: 0.7 },
  { name: 'GET /auth/me', bare: 'bare read', least: 0.7 },
  { name: 'POST /transaction', bare: 'bare insert', least: 0.4 },
] as const

const outcomes = new Map<string, Outcome[]>()
for (let round = 0; round <= ROUNDS; round++) {
  for (const [name, load] of Object.entries(cases)) {
    const outcome = await measure(load)
    // Round 0 warms up.
    if (round > 0) {
      outcomes.set(name, [...(outcomes.get(name) ?? []), outcome])
    }
  }
}

console.log(
  `${CONNECTIONS} connections, ${ROUNDS} rounds of ${ROUND_MS / 1000} s, ${availableParallelism()} cores; medians of the rounds\n`,
)
console.log('| Request | per second | median ms | p99 ms | failed |\n|---|---:|---:|---:|---:|')
for (const [name, rounds] of outcomes) {
  const of = (key: keyof Outcome) => median(rounds.map((round) => round[key]))
  console.log(
    `| ${name} | ${of('perSecond').toFixed(0)} | ${of('median').toFixed(1)} | ${of('p99').toFixed(1)} | ${of('failed')} |`,
  )
}
console.log('')
for (const { name, bare: against, least } of GOALS) {
  const ratio = perSecond(name) / perSecond(against)
  console.log(`${name} / ${against}: ${ratio.toFixed(2)} (goal: at least ${least})`)
}
console.log(`\nRelease bundle: ${gzipKiB(script).toFixed(0)} KiB gzipped`)

client.kill()
await Promise.all([service.stop(), bare.stop()])
rmSync(folder, { recursive: true })
console.log(`Start-up: ${startupMs().toFixed(0)} ms active`)

async function post<Body>(path: string, body: object): Promise<Body> {
  const answer = await fetch(service.url + path, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  if (!answer.ok) {
    throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`)
  }
  return answer.json<Body>()
}

async function measure(load: Omit<Load, 'connections' | 'ms'>): Promise<Outcome> {
  client.send({ ...load, connections: CONNECTIONS, ms: ROUND_MS } satisfies Load)
  const [outcome] = (await once(client, 'message')) as [Outcome]
  return outcome
}

function perSecond(name: string): number {
  return median((outcomes.get(name) ?? []).map((outcome) => outcome.perSecond))
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}
