/**
 * `npm run bench`: the release on Node and in Workers' runtime, each with 100,000 transactions, next to a bare Worker on
 * the same machine in the same minutes. What counts are the ratios, taken round by round, as all meet what else the
 * machine does.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshSecrets } from '../src/hosts/node/secrets.ts'
import { applyMigrations } from '../scripts/lib/migrations.ts'
import { buildNodeRelease } from '../scripts/lib/node-release.ts'
import { inProject } from '../scripts/lib/project.ts'
import { buildRelease, gzipKiB, startRelease, startupMs } from '../scripts/lib/release.ts'
import { startRuntime } from '../scripts/lib/runtime.ts'
import { BARE, BARE_TABLE } from './bare.ts'
import { type Books, fillBooks } from './books.ts'
import { ACCOUNTS, TOTAL } from './ledger-data.ts'
import { median } from './median.ts'
import { startNode } from './node-process.ts'
import type { Load, Outcome } from './client.ts'

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 15)
const ROUND_MS = Number(process.env['BENCH_ROUND_MS'] ?? 1000)
const STARTS = 5
const CONNECTIONS = 16

const folder = mkdtempSync(join(tmpdir(), 'coffer-bench-'))
const variables = {
  REGISTRATION: 'open',
  LOGIN_LIMIT_ACCOUNT: '1000000',
  USER_LIMIT_DATABASE_MS: '1000000',
}

const entry = await buildNodeRelease()
const start = () => startNode(entry, join(folder, 'node'), join(folder, 'node.log'), variables)
const node = await start()

const script = buildRelease()
const bindings = { ...(await freshSecrets()), ...variables }
const worker = await startRelease({ script, data: join(folder, 'worker'), bindings })

const bare = await startRuntime({ script: BARE, data: join(folder, 'bare') })
const bareDatabase = await bare.miniflare.getD1Database('DB')
await applyMigrations(bareDatabase)
await bareDatabase.prepare(BARE_TABLE).run()

type Request = Pick<Load, 'method' | 'urls'> & { body?: object }

/** One of the two releases, and what it is asked. */
async function subjectOf(url: string) {
  const books = await fillBooks(url)
  const middle = await middleOf(books)
  const get = (...paths: string[]): Request => ({
    method: 'GET',
    urls: paths.map((path) => url + path),
  })
  const post = (path: string, body: object): Request => ({ ...get(path), method: 'POST', body })
  const { accounts, categories, tags } = books
  const plain = {
    kind: 'expense',
    accountId: accounts[0],
    date: '2026-11-20',
    amount: '12.30',
    description: 'Bread',
  }
  const labelled = {
    ...plain,
    categoryId: categories[0],
    payeeRaw: 'SHOP 7',
    tagIds: tags.slice(0, 2),
    externalId: 'bank {n}',
  }
  const pages = accounts.map((id, at) => `/account/${id}/transaction?limit=50${middle[at]}`)
  return {
    books,
    requests: {
      account: get('/account'),
      page: get(...pages),
      plain: post('/transaction', plain),
      labelled: post('/transaction', labelled),
      bulk: post('/transaction/bulk', books.some(0)),
    },
  }
}

/** The cursor of the page in the middle of each account. */
async function middleOf({ accounts, call }: Books): Promise<string[]> {
  const cursors: string[] = []
  for (const id of accounts) {
    let cursor = ''
    for (let seen = 0; seen < TOTAL / ACCOUNTS / 2; seen += 200) {
      const path = `/account/${id}/transaction?limit=200${cursor}`
      const { nextCursor } = await call<{ nextCursor: string }>('GET', path)
      cursor = `&cursor=${nextCursor}`
    }
    cursors.push(cursor)
  }
  return cursors
}

const own = { node: await subjectOf(node.url), worker: await subjectOf(worker.url) }
const client = fork(inProject('bench/client.ts'))

const bareRead: Request = { method: 'GET', urls: [`${bare.url}/read`] }
const bareInsert: Request = {
  method: 'POST',
  urls: [`${bare.url}/insert`],
  body: { accountId: 'acc', date: '2026-11-20', amount: '12.30' },
}

interface Measure {
  name: string
  of: keyof (typeof own)['node']['requests']
  against: Request
  connections?: number
}

/** Bulk is last, as it makes the ledger larger. */
const MEASURES: Measure[] = [
  { name: '`GET /account`', of: 'account', against: bareRead },
  { name: '`GET /account/{id}/transaction`, 50 in the middle', of: 'page', against: bareRead },
  { name: '`POST /transaction`', of: 'plain', against: bareInsert },
  { name: '… with category, payee, tags, `externalId`', of: 'labelled', against: bareInsert },
  { name: '`POST /transaction/bulk`, 500', of: 'bulk', against: bareInsert, connections: 2 },
]

interface Round {
  node: Outcome
  worker: Outcome
  bare: Outcome
}

const SIDES = ['node', 'worker', 'bare'] as const

const rounds = new Map<string, Round[]>(MEASURES.map(({ name }) => [name, []]))
for (const measures of [MEASURES.slice(0, -1), MEASURES.slice(-1)]) {
  for (let round = 0; round <= ROUNDS; round++) {
    await Promise.all([own.node, own.worker].map(({ books }) => books.signIn()))
    for (const { name, of, against, connections = CONNECTIONS } of measures) {
      const outcomes: Partial<Round> = {}
      // They run one after the other, and take turns at being first.
      for (const at of SIDES.keys()) {
        const side = SIDES[(at + round) % SIDES.length] ?? 'bare'
        const load =
          side === 'bare'
            ? { ...against, headers: {} }
            : { ...own[side].requests[of], headers: own[side].books.headers() }
        outcomes[side] = await measure(load, connections)
      }
      // Round 0 warms up.
      if (round > 0) {
        rounds.get(name)?.push(outcomes as Round)
      }
    }
  }
}

console.log(
  `${TOTAL} transactions, ${CONNECTIONS} connections, ${ROUNDS} rounds of ${ROUND_MS / 1000} s, ${availableParallelism()} cores; medians of the rounds, per second\n`,
)
console.log(
  '| Request | Node | workerd | bare Worker | Node to workerd | workerd to bare | Node p99 ms | failed |',
)
console.log('|---|---:|---:|---:|---:|---:|---:|---:|')
for (const { name } of MEASURES) {
  const of = (value: (round: Round) => number) => median((rounds.get(name) ?? []).map(value))
  const cells = [
    ...SIDES.map((side) => of((round) => round[side].perSecond).toFixed(0)),
    of((round) => round.node.perSecond / round.worker.perSecond).toFixed(2),
    of((round) => round.worker.perSecond / round.bare.perSecond).toFixed(2),
    of((round) => round.node.p99).toFixed(1),
    of((round) => round.node.failed + round.worker.failed + round.bare.failed).toFixed(0),
  ]
  console.log(`| ${name} | ${cells.join(' | ')} |`)
}

client.kill()
for (const { books } of [own.node, own.worker]) {
  books.close()
}
console.log(`\nNode: ${node.peakMiB().toFixed(0)} MiB of memory at most`)
await Promise.all([node.stop(), worker.stop(), bare.stop()])
const starts: number[] = []
for (let at = 0; at < STARTS; at++) {
  const again = await start()
  starts.push(again.startedInMs)
  await again.stop()
}
rmSync(folder, { recursive: true })
console.log(`Node: ${median(starts).toFixed(0)} ms from its start to the first answer`)
console.log(
  `Worker: ${gzipKiB(script).toFixed(0)} KiB gzipped, ${startupMs().toFixed(0)} ms active to start`,
)

async function measure(
  { body, ...load }: Request & Pick<Load, 'headers'>,
  connections: number,
): Promise<Outcome> {
  const text = body ? { body: JSON.stringify(body) } : {}
  client.send({ ...load, ...text, connections, ms: ROUND_MS } satisfies Load)
  const [outcome] = (await once(client, 'message')) as [Outcome]
  return outcome
}
