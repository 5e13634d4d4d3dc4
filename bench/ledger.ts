/**
 * `npm run bench:ledger`: a ledger of 100,000 transactions in ten accounts, asked over HTTP by one client, next to
 * Actual's engine doing the same in its own process, where `ACTUAL_API` names a folder with `@actual-app/api` in its
 * node_modules. What counts is the ratio of the medians, as both meet what else the machine does.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freshSecrets } from '../src/hosts/node/secrets.ts'
import { inProject } from '../scripts/lib/project.ts'
import { buildRelease, startRelease } from '../scripts/lib/release.ts'
import { AT_ONCE, fillBooks } from './books.ts'
import { median } from './median.ts'
import {
  ACCOUNTS,
  ASSIGNED,
  type Measure,
  MEASURES,
  MONTH,
  MONTHS,
  SEARCHED,
  TOTAL,
} from './ledger-data.ts'

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 30)

const peer = process.env['ACTUAL_API'] ? await startPeer() : undefined
const folder = mkdtempSync(join(tmpdir(), 'coffer-bench-'))
const script = buildRelease()
const unlimited = { REGISTRATION: 'open', USER_LIMIT_DATABASE_MS: '1000000' }
const bindings = { ...(await freshSecrets()), ...unlimited }
const service = await startRelease({ script, data: folder, bindings })
const { accounts, call, categories, close, filledInSeconds, row, some } = await fillBooks(
  service.url,
)
const account = (n: number) => accounts[n % ACCOUNTS]
console.log(`Filled in ${filledInSeconds.toFixed(1)} s`)

let last = ''
for (let page: { nextCursor: string | null } | undefined; page?.nextCursor !== null;) {
  last = page?.nextCursor ? `&cursor=${page.nextCursor}` : ''
  page = await call('GET', `/account/${account(0)}/transaction?limit=200${last}`)
}

const budget = await newBudget()
const newest = `/budget/${budget}/period/${MONTHS.at(-1)}-01`

const OWN: Record<Measure, (n: number) => Promise<unknown>> = {
  'account list': () => call('GET', '/account'),
  'single balance': (n) => call('GET', `/account/${account(n)}/balance?date=${MONTH.to}`),
  'page of 50, first': (n) => call('GET', `/account/${account(n)}/transaction?limit=50`),
  'page of 50, last': () => call('GET', `/account/${account(0)}/transaction?limit=50${last}`),
  'month of one account': (n) =>
    call('GET', `/transaction?accountId=${account(n)}&from=${MONTH.from}&to=${MONTH.to}&limit=200`),
  'filtered search': () =>
    call('GET', `/transaction?text=${encodeURIComponent(SEARCHED)}&limit=50`),
  'single insert': (n) => call('POST', '/transaction', row(n)),
  'bulk of 500': (n) => call('POST', '/transaction/bulk', some(AT_ONCE * n)),
  'month of a budget': () => call('GET', newest),
  'old insert, then that month': async (n) => {
    await call('POST', '/transaction', row(n))
    await call('GET', newest)
  },
}

const times = new Map(MEASURES.map((name) => [name, { own: [0], peer: [0] }]))
// Measure by measure: what is inserted is old, and a budget is read in its usual state before that.
for (const [name, of] of times) {
  for (let round = 0; round <= ROUNDS; round++) {
    const startedAt = performance.now()
    await OWN[name](round)
    const own = performance.now() - startedAt
    const other = peer ? await timeOfPeer(peer, name, round) : Number.NaN
    // Round 0 warms up, and takes the place that the lists were made with.
    if (round === 0) {
      of.own.pop()
      of.peer.pop()
    } else {
      of.own.push(own)
      of.peer.push(other)
    }
  }
}

console.log(
  `${TOTAL} transactions, ${ROUNDS} rounds, ${availableParallelism()} cores; medians in milliseconds\n`,
)
console.log('| | over HTTP | Actual, in process | ratio |')
console.log('|---|---:|---:|---:|')
for (const [name, { own, peer: other }] of times) {
  const cells = [median(own), median(other), median(own) / median(other)]
  console.log(
    `| ${name} | ${cells.map((cell) => (Number.isNaN(cell) ? '' : cell.toFixed(2))).join(' | ')} |`,
  )
}

const bare: number[] = []
for (let round = 0; round < ROUNDS; round++) {
  const startedAt = performance.now()
  await call('GET', '/health')
  bare.push(performance.now() - startedAt)
}
console.log(`\nA request that asks nothing of the database takes ${median(bare).toFixed(2)}.`)

peer?.disconnect()
close()
await service.stop()
rmSync(folder, { recursive: true })

/** An envelope for each category, with the same amount in each month. */
async function newBudget(): Promise<string> {
  const { id } = await call<{ id: string }>('POST', '/budget', {
    name: 'Bench',
    mode: 'envelope',
    currency: 'EUR',
    period: { unit: 'month', count: 1, anchor: `${MONTHS[0]}-01` },
    startsOn: `${MONTHS[0]}-01`,
  })
  const items: { lineId: string; assigned: string }[] = []
  for (const [at, category] of categories.entries()) {
    const line = { name: `Line ${at}`, scope: { kind: 'category', ids: [category] } }
    const { id: lineId } = await call<{ id: string }>('POST', `/budget/${id}/line`, line)
    items.push({ lineId, assigned: (ASSIGNED / 100).toFixed(2) })
  }
  for (const month of MONTHS) {
    await call('PUT', `/budget/${id}/period/${month}-01/allocation`, { items })
  }
  // A write a minute later asks for checkpoints again, which the queue makes: they are there on any usual day.
  await setTimeout(61_000)
  await call('PUT', `/budget/${id}/period/${MONTHS.at(-1)}-01/allocation`, { items })
  await setTimeout(5_000)
  return id
}

async function startPeer(): Promise<ChildProcess> {
  const child = fork(inProject('bench/actual.ts'))
  await once(child, 'message')
  return child
}

async function timeOfPeer(child: ChildProcess, name: Measure, n: number): Promise<number> {
  child.send({ name, n })
  const [ms] = (await once(child, 'message')) as [number]
  return ms
}
