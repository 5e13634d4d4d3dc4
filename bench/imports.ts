/**
 * `npm run bench:imports`: files of 1,000, 10,000 and 100,000 rows, from the upload until they are booked, and the same
 * files again, on Node and in Workers' runtime; next to Actual's engine importing the same rows in its own process, where
 * `ACTUAL_API` names a folder with `@actual-app/api` in its node_modules. Each file meets an empty service. Seconds of the
 * processor count, as others may use the machine, too: those of the service's process, and on the Worker of its runtime.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshSecrets } from '../src/hosts/node/secrets.ts'
import { buildNodeRelease } from '../scripts/lib/node-release.ts'
import { inProject } from '../scripts/lib/project.ts'
import { buildRelease, startRelease } from '../scripts/lib/release.ts'
import { csvOf, SIZES } from './import-rows.ts'
import { importFile, newUser } from './importing.ts'
import { freePort, startNode } from './node-process.ts'
import { children, type Usage, usageOf, watchHeap } from './usage.ts'

const HOSTS = (process.env['BENCH_HOSTS'] ?? 'node,worker').split(',') as ('node' | 'worker')[]
const variables = { REGISTRATION: 'open', USER_LIMIT_DATABASE_MS: '1000000' }

interface Subject {
  url: string
  usage: Usage
  inspector: number
  stop: () => Promise<void>
}

const entry = HOSTS.includes('node') ? await buildNodeRelease() : ''
const script = HOSTS.includes('worker') ? buildRelease() : ''

const START: Record<(typeof HOSTS)[number], (folder: string) => Promise<Subject>> = {
  node: async (folder) => {
    const inspector = await freePort()
    const flags = [`--inspect=127.0.0.1:${inspector}`, '--inspect-publish-uid=http']
    const log = join(folder, 'node.log')
    const { url, pid, stop } = await startNode(entry, folder, log, variables, flags)
    return { url, usage: usageOf(pid), inspector, stop }
  },
  worker: async (folder) => {
    const inspector = await freePort()
    const bindings = { ...(await freshSecrets()), ...variables }
    const before = children()
    const { url, stop } = await startRelease({ script, data: folder, bindings, inspector })
    const pid = [...children()].find((one) => !before.has(one)) ?? 0
    return { url, usage: usageOf(pid), inspector, stop }
  },
}

interface Times {
  seconds: number
  cpuSeconds: number
}

interface Outcome {
  first: Times
  again: Times
  /** MiB. */
  peak: number
  heap: number
}

async function measure(host: (typeof HOSTS)[number], rows: number): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-bench-'))
  const subject = await START[host](folder)
  try {
    const unwatch = await watchHeap(subject.inspector)
    const { call, account } = await newUser(subject.url, 'bench')
    const file = csvOf(rows)
    const timed = async (wanted: Record<string, number>): Promise<Times> => {
      const [begun, cpu] = [performance.now(), subject.usage.cpuSeconds()]
      const { counts } = await importFile(call, account, file)
      for (const [name, count] of Object.entries({ rows, ...wanted })) {
        if (counts[name] !== count) {
          throw new Error(`${counts[name]} of ${rows} rows are ${name}`)
        }
      }
      return {
        seconds: (performance.now() - begun) / 1000,
        cpuSeconds: subject.usage.cpuSeconds() - cpu,
      }
    }
    const first = await timed({ new: rows })
    const again = await timed({ duplicate: rows })
    return { first, again, peak: subject.usage.peakMiB(), heap: unwatch() }
  } finally {
    await subject.stop()
    rmSync(folder, { recursive: true })
  }
}

/** The peer does the same with the same rows. */
async function measurePeer(rows: number): Promise<{ first: Times; again: Times; peak: number }> {
  const child = fork(inProject('bench/actual-imports.ts'), [String(rows)])
  const [outcome] = (await once(child, 'message')) as [{ first: Times; again: Times }]
  const peak = usageOf(child.pid ?? 0).peakMiB()
  child.disconnect()
  return { ...outcome, peak }
}

console.log(`${availableParallelism()} cores; each file meets an empty service\n`)
const columns = [
  ...[
    'rows',
    'seconds',
    'of the processor',
    'rows per second of it',
    'for a row, to the size before',
  ],
  ...['again, seconds', 'of the processor', 'memory MiB', 'heap MiB'],
]
console.log(`| | ${columns.join(' | ')} |\n|---|${columns.map(() => '---:').join('|')}|`)

const tell = (
  name: string,
  rows: number,
  before: number | undefined,
  of: Omit<Outcome, 'heap'> & { heap?: number },
) => {
  const { first, again } = of
  const each = first.cpuSeconds / rows
  const cells = [
    ...[rows, first.seconds.toFixed(2), first.cpuSeconds.toFixed(2), (1 / each).toFixed(0)],
    before === undefined ? '' : (each / before).toFixed(2),
    ...[again.seconds.toFixed(2), again.cpuSeconds.toFixed(2), of.peak.toFixed(0)],
    of.heap === undefined ? '' : of.heap.toFixed(0),
  ]
  console.log(`| ${name} | ${cells.join(' | ')} |`)
  return each
}

for (const host of HOSTS) {
  let before: number | undefined
  for (const rows of SIZES) {
    before = tell(host === 'node' ? 'Node' : 'workerd', rows, before, await measure(host, rows))
  }
}
if (process.env['ACTUAL_API']) {
  let before: number | undefined
  for (const rows of SIZES) {
    before = tell('Actual, in process', rows, before, await measurePeer(rows))
  }
}
