/**
 * `npm run bench:oracle`: whether the time of an answer tells who has an account. Asks the release over HTTP,
 * with the password cost of production, about addresses of each kind in turn, each address once, and compares
 * every kind with addresses that nobody has. What counts: the ratio of the medians, and the AUC of guessing the
 * kind by the time alone, where 0.5 is a tossed coin.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshSecrets } from '../src/hosts/node/secrets.ts'
import { median } from './median.ts'
import { buildRelease, startRelease } from '../scripts/lib/release.ts'
import { workerOptionsOf } from '../scripts/lib/runtime.ts'

const TRIES = Number(process.env['BENCH_TRIES'] ?? 200)
const WARM_UP = 5

const folder = mkdtempSync(join(tmpdir(), 'coffer-oracle-'))
const manyTries = { LOGIN_LIMIT_ACCOUNT: '1000000', LOGIN_LIMIT_CLIENT: '1000000' }
const bindings = {
  ...{ ...(await freshSecrets()), REGISTRATION: 'open', ...manyTries },
  MAIL_FROM: 'coffer@coffer.test',
}
const worker = { ...(await workerOptionsOf()), email: { send_email: [{ name: 'MAIL' }] } }
const service = await startRelease({ script: buildRelease(), data: folder, bindings, worker })
const database = await service.miniflare.getD1Database('DB')

interface Answer {
  ms: number
  said: string
}

async function post(path: string, body: object): Promise<Answer> {
  const startedAt = performance.now()
  const answer = await fetch(service.url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  const ms = performance.now() - startedAt
  return { ms, said: `${answer.status} ${text.replace(/req_\w+/, '')}` }
}

/** Users by the name of their kind: copies of one, so that only what is said differs. */
const KINDS: Record<string, Record<string, string | null>> = {
  'wrong password': {},
  disabled: { status: 'disabled' },
  deleted: { status: 'deleted' },
  'SSO only': { password_hash: null },
}

await post('/auth/register', {
  email: 'first@coffer.test',
  password: 'only for this one bench',
  name: 'Bench',
})
const first = await database.prepare('SELECT * FROM users').first<Record<string, unknown>>()
if (!first) {
  throw new Error('nobody was registered')
}
for (const [kind, changed] of Object.entries({ ...KINDS, known: {} })) {
  const copies = Array.from({ length: TRIES + WARM_UP }, (_, at) => {
    const email = addressOf(kind, at)
    return { ...first, ...changed, id: `usr_${kind}_${at}`, email, email_key: email }
  })
  for (let at = 0; at < copies.length; at += 50) {
    await database.batch(
      copies.slice(at, at + 50).map((user) => {
        const columns = Object.keys(user)
        return database
          .prepare(
            `INSERT INTO users (${columns.join()}) VALUES (${columns.map(() => '?').join()})`,
          )
          .bind(...Object.values(user))
      }),
    )
  }
}

function addressOf(kind: string, at: number): string {
  return `${kind.replace(' ', '-').toLowerCase()}-${at}@coffer.test`
}

/** Asks about one address of each kind after the other, in an order that changes. */
async function compare(kinds: string[], ask: (email: string) => Promise<Answer>) {
  const times = new Map<string, number[]>(kinds.map((kind) => [kind, []]))
  const said = new Set<string>()
  for (let at = 0; at < TRIES + WARM_UP; at++) {
    for (const kind of shuffled(kinds)) {
      const answer = await ask(addressOf(kind, at))
      said.add(answer.said)
      if (at >= WARM_UP) {
        times.get(kind)?.push(answer.ms)
      }
    }
  }
  return { times, said }
}

const report = async (path: string, kinds: string[], ask: (email: string) => Promise<Answer>) => {
  const { times, said } = await compare(['unknown', ...kinds], ask)
  const unknown = times.get('unknown') ?? []
  console.log(
    `\nPOST ${path}: ${said.size === 1 ? 'all said' : 'DIFFERENT ANSWERS'} ${[...said].join(' / ')}`,
  )
  console.log('| Address | median ms | to unknown | AUC |')
  console.log('|---|---:|---:|---:|')
  for (const [kind, ms] of times) {
    const ratio = (median(ms) / median(unknown)).toFixed(3)
    const cells = [median(ms).toFixed(2), ratio, aucOf(ms, unknown).toFixed(3)]
    console.log(`| ${kind} | ${cells.join(' | ')} |`)
  }
}

console.log(
  `${TRIES} addresses of each kind, each asked about once; medians within 10 %, AUC 0.42 to 0.58`,
)
await report('/auth/v2/login', Object.keys(KINDS), (email) =>
  post('/auth/v2/login', { email, password: 'not the right password' }),
)
await report('/auth/password/forgot', ['known', 'disabled', 'deleted', 'SSO only'], (email) =>
  post('/auth/password/forgot', { email }),
)

await service.stop()
rmSync(folder, { recursive: true })

/** The chance that one of the first took longer than one of the others. */
function aucOf(some: number[], others: number[]): number {
  const wins = some.flatMap((one) =>
    others.map((other) => (one > other ? 1 : one === other ? 0.5 : 0)),
  )
  return wins.reduce((sum: number, win) => sum + win, 0) / wins.length
}

function shuffled<Value>(values: Value[]): Value[] {
  return values
    .map((value) => ({ value, rank: Math.random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ value }) => value)
}
