/**
 * `npm run bench:import-rules`: how much longer the commit of a file computes with 300 rules than without any: seconds of the
 * processor on Node, in rounds within one process, each import of somebody with an empty account. The rules match no row, or about
 * three of them match each row and fill five fields.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildNodeRelease } from '../scripts/lib/node-release.ts'
import { csvOf } from './import-rows.ts'
import { bookImport, type Call, newUser, readImport } from './importing.ts'
import { wordsOf } from './ledger-data.ts'
import { median } from './median.ts'
import { startNode } from './node-process.ts'
import { usageOf } from './usage.ts'

const ROWS = Number(process.env['BENCH_ROWS'] ?? 10_000)
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 7)
const FLAGS = (process.env['BENCH_FLAGS'] ?? '').split(' ').filter((flag) => flag !== '')
const RULES = 300

/** How many rules of each kind there are. */
const KINDS = { none: 0, idle: RULES, filling: RULES }

type Kind = keyof typeof KINDS

/** One of three kinds of conditions and changes. */
const ruleOf = (n: number, ids: string[], kind: Kind) => {
  const words = (text: string) => (kind === 'idle' ? `none ${text}` : text)
  const rules = [
    {
      condition: { field: 'payeeRaw', op: 'is', value: words(`Shop ${n % 100}`) },
      changes: { categoryId: ids[n % ids.length], note: '{payeeRaw}' },
    },
    {
      condition: {
        all: [
          { field: 'text', op: 'contains', value: words(wordsOf(n).split(' ')[0] ?? '') },
          { field: 'amount', op: 'from', value: `${n}.00` },
        ],
      },
      changes: { categoryId: ids[n % ids.length], reviewed: true },
    },
    {
      condition: { field: 'text', op: 'like', value: words(`card*${n}*`) },
      changes: { description: 'Card' },
    },
  ]
  return { name: `Rule ${n}`, ...rules[n % rules.length] }
}

async function addRules(call: Call, kind: Kind): Promise<void> {
  const ids: string[] = []
  for (let n = 0; n < 20; n++) {
    const json = { name: `Category ${n}`, kind: 'expense' }
    ids.push((await call<{ id: string }>('POST', '/category', json)).id)
  }
  for (let n = 0; n < KINDS[kind]; n++) {
    await call('POST', '/rule', ruleOf(n, ids, kind))
  }
}

const folder = mkdtempSync(join(tmpdir(), 'coffer-bench-'))
const variables = { REGISTRATION: 'open', USER_LIMIT_DATABASE_MS: '1000000' }
const log = join(folder, 'node.log')
const { url, pid, stop } = await startNode(await buildNodeRelease(), folder, log, variables, FLAGS)
try {
  const usage = usageOf(pid)
  const file = csvOf(ROWS)
  const measure = async (kind: Kind, round: number): Promise<number> => {
    const { call, account } = await newUser(url, `${kind}-${round}`)
    await addRules(call, kind)
    const read = await readImport(call, account, file)
    const before = usage.cpuSeconds()
    await bookImport(call, read)
    return usage.cpuSeconds() - before
  }
  const found: Record<Kind, number>[] = []
  // The first round warms up.
  for (let n = 0; n <= ROUNDS; n++) {
    found.push({
      none: await measure('none', n),
      idle: await measure('idle', n),
      filling: await measure('filling', n),
    })
  }
  const rounds = found.slice(1)
  console.log(`| ${ROWS} rows, ${RULES} rules | seconds | times without |\n|---|---:|---:|`)
  for (const kind of Object.keys(KINDS) as Kind[]) {
    const seconds = median(rounds.map((one) => one[kind]))
    const ratio = median(rounds.map((one) => one[kind] / one.none))
    console.log(`| ${kind} | ${seconds.toFixed(2)} | ${ratio.toFixed(2)} |`)
  }
} finally {
  await stop()
  rmSync(folder, { recursive: true })
}
