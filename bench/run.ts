/**
 * `npm run bench`: the release bundle next to a bare Worker on the same machine in the same minutes. What
 * counts is the ratio of the two, taken round by round, as both meet what else the machine does.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshSecrets } from '../src/hosts/node/secrets.ts'
import { applyMigrations } from '../scripts/lib/migrations.ts'
import { inProject } from '../scripts/lib/project.ts'
import { buildRelease, gzipKiB, startRelease, startupMs } from '../scripts/lib/release.ts'
import { startRuntime } from '../scripts/lib/runtime.ts'
import { BARE, BARE_TABLE } from './bare.ts'
import { median } from './median.ts'
import type { Load, Outcome } from './client.ts'

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 15)
const ROUND_MS = Number(process.env['BENCH_ROUND_MS'] ?? 1000)
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

/** What is measured against what, and the goal. */
const PAIRS = [
  {
    name: 'GET /account',
    load: get(`${service.url}/account`),
    bare: get(`${bare.url}/read`),
    goal: 0.7,
  },
  {
    name: 'GET /auth/me',
    load: get(`${service.url}/auth/me`),
    bare: get(`${bare.url}/read`),
    goal: 0.7,
  },
  {
    name: 'POST /transaction',
    load: send(`${service.url}/transaction`),
    bare: send(`${bare.url}/insert`),
    goal: 0.4,
  },
]

interface Round {
  own: Outcome
  bare: Outcome
}

const rounds = new Map<string, Round[]>(PAIRS.map(({ name }) => [name, []]))
for (let round = 0; round <= ROUNDS; round++) {
  for (const { name, load, bare: against } of PAIRS) {
    // The two of a pair run one after the other, and take turns at being first.
    const measured = round % 2 === 0 ? await inOrder(load, against) : await inOrder(against, load)
    const [own, other] = round % 2 === 0 ? measured : measured.toReversed()
    // Round 0 warms up.
    if (round > 0 && own && other) {
      rounds.get(name)?.push({ own, bare: other })
    }
  }
}

console.log(
  `${CONNECTIONS} connections, ${ROUNDS} rounds of ${ROUND_MS / 1000} s, ${availableParallelism()} cores; medians of the rounds\n`,
)
console.log('| Request | per second | bare Worker | ratio | goal | median ms | p99 ms | failed |')
console.log('|---|---:|---:|---:|---:|---:|---:|---:|')
for (const { name, goal } of PAIRS) {
  const of = (value: (round: Round) => number) => median((rounds.get(name) ?? []).map(value))
  const cells = [
    of(({ own }) => own.perSecond).toFixed(0),
    of((round) => round.bare.perSecond).toFixed(0),
    of((round) => round.own.perSecond / round.bare.perSecond).toFixed(2),
    goal.toFixed(2),
    of(({ own }) => own.median).toFixed(1),
    of(({ own }) => own.p99).toFixed(1),
    of(({ own }) => own.failed).toFixed(0),
  ]
  console.log(`| ${name} | ${cells.join(' | ')} |`)
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

async function inOrder(...loads: Parameters<typeof measure>[0][]): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const load of loads) {
    outcomes.push(await measure(load))
  }
  return outcomes
}
