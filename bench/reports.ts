/**
 * The second part of `npm run bench:ledger`: reports over ten years of income and spending, asked over HTTP of the release for Node,
 * next to Actual's engine summing up the same in its own process, in turns. Each sum must be the same in both.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildNodeRelease } from '../scripts/lib/node-release.ts'
import { inProject } from '../scripts/lib/project.ts'
import { fillBooks } from './books.ts'
import { TOTAL } from './ledger-data.ts'
import { median } from './median.ts'
import { startNode } from './node-process.ts'
import { type Asked, ASKED, type PeerAnswer, questionOf, TEN_YEARS } from './report-data.ts'
import { usageOf } from './usage.ts'

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 30)
const FLAGS = (process.env['BENCH_FLAGS'] ?? '').split(' ').filter((flag) => flag !== '')

interface Row {
  name: string
  own: string
  periods: { from: string; own: string }[]
}

type Answer = Partial<Record<'rows' | 'earned' | 'spent', Row[]>>

const peer = process.env['ACTUAL_API'] ? fork(inProject('bench/actual-reports.ts')) : undefined
peer?.once('exit', (code) => process.exit(code ?? 1))
const isReady = peer && once(peer, 'message')
const folder = mkdtempSync(join(tmpdir(), 'coffer-bench-'))
const variables = { REGISTRATION: 'open', USER_LIMIT_DATABASE_MS: '1000000' }
const entry = await buildNodeRelease()
const host = await startNode(entry, folder, join(folder, 'log'), variables, FLAGS)
const { call, close } = await fillBooks(host.url, TEN_YEARS)
await isReady
const { cpuSeconds } = usageOf(host.pid)

async function askPeer(name: Asked): Promise<PeerAnswer | undefined> {
  peer?.send(name)
  return peer && ((await once(peer, 'message')) as [PeerAnswer])[0]
}

/** The sums of an answer that are not zero, as the peer tells them. */
function sumsOf({ isByMonth }: { isByMonth: boolean }, { rows, earned, spent }: Answer) {
  const cells = (all: Row[] = [], sign: 1 | -1) =>
    all.flatMap(({ name, own, periods }) =>
      (isByMonth ? periods : [{ from: '', own }]).map(
        (one) =>
          [
            `${one.from.slice(0, 7)} ${name}`.trim(),
            sign * Math.round(Number(one.own) * 100),
          ] as const,
      ),
    )
  const all = [...cells(rows, -1), ...cells(spent, -1), ...cells(earned, 1)]
  return new Map(all.filter(([, minor]) => minor !== 0))
}

function requireSame(name: Asked, answer: Answer, { sums }: PeerAnswer): void {
  const own = sumsOf(questionOf(name), answer)
  const [key, minor] = sums.find((one) => own.get(one[0]) !== one[1]) ?? []
  if (key !== undefined || own.size !== sums.length) {
    const counts = `${own.size} sums, the peer ${sums.length}`
    throw new Error(`${name}: ${counts}; ${key} is ${own.get(key ?? '')}, the peer says ${minor}`)
  }
}

const times = new Map(ASKED.map((name) => [name, { own: [0], peer: [0], cpu: 0, peerCpu: 0 }]))
for (let round = 0; round <= ROUNDS; round++) {
  for (const [name, of] of times) {
    const before = cpuSeconds()
    const startedAt = performance.now()
    const answer = await call<Answer>('GET', questionOf(name).path)
    const ms = performance.now() - startedAt
    const cpu = 1000 * (cpuSeconds() - before)
    const other = await askPeer(name)
    // Round 0 warms up, and takes the place that the lists were made with.
    if (round === 0) {
      of.own.pop()
      of.peer.pop()
      if (other) {
        requireSame(name, answer, other)
      }
    } else {
      of.own.push(ms)
      of.peer.push(other?.ms ?? Number.NaN)
      of.cpu += cpu / ROUNDS
      of.peerCpu += (other?.cpuMs ?? Number.NaN) / ROUNDS
    }
  }
}

console.log(
  `\n${TOTAL} transactions of ten years, ${ROUNDS} rounds, ${availableParallelism()} cores with a load of ${loadavg()[0]?.toFixed(1)}; medians in milliseconds, and means of CPU time\n`,
)
console.log('| | over HTTP | Actual, in process | ratio | CPU | CPU of Actual | ratio |')
console.log('|---|---:|---:|---:|---:|---:|---:|')
for (const [name, of] of times) {
  const [own, other] = [median(of.own), median(of.peer)]
  const cells = [own, other, own / other, of.cpu, of.peerCpu, of.cpu / of.peerCpu]
  console.log(
    `| ${name} | ${cells.map((cell) => (Number.isNaN(cell) ? '' : cell.toFixed(2))).join(' | ')} |`,
  )
}

peer?.removeAllListeners('exit').disconnect()
close()
await host.stop()
rmSync(folder, { recursive: true })
