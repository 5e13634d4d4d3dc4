import { DatabaseSync, StatementSync } from 'node:sqlite'
import { limit, rounds } from '../support/rounds.ts'

// Times every statement that this process sends to SQLite, by the time for which its thread computes: what other
// processes do meanwhile does not count.

/** The longest time of a statement, or of a batch, and who sent it. */
export interface Timed {
  by: string
  isBatch: boolean
  ms: number
  /** What it may take on a quiet machine of two cores. */
  most: number
  /** Its text; of a batch, how long each of its longer statements took. */
  sql: string
}

/** What one statement or batch may take; with a twentieth of the rows, a quarter of it. */
const MOST_MS = limit(rounds(25, 100))

/** However few rows there are, they are planned in the same time. */
const MOST_MS_OF_PLANNING = limit(100)

/** A statement that takes longer may have met a busy moment: it is asked again, and the shortest time counts. */
const AGAIN_FROM_MS = 15
const MOST_TRIES = 3

const longest = new Map<string, Timed>()
let by = ''
let batch: Timed | undefined

/** Who sends statements from now on. */
export function attend(who: string): void {
  by = who
}

/** How long this thread has computed, in milliseconds. */
export function computed(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Which database a statement is of. */
const databases = new WeakMap<object, DatabaseSync>()
const prepare = Reflect.get(DatabaseSync.prototype, 'prepare') as DatabaseSync['prepare']
DatabaseSync.prototype.prepare = function noted(...given) {
  const statement = prepare.apply(this, given)
  databases.set(statement, this)
  return statement
}

const planned = new Set<string>()

/** Times all statements that are sent from now on, and how long SQLite plans each of them; gives what ends that. */
export function startWatch(): () => void {
  longest.clear()
  planned.clear()
  const all = Reflect.get(StatementSync.prototype, 'all') as Ask
  StatementSync.prototype.all = function timed(this: StatementSync, ...values: unknown[]) {
    const sql = this.sourceSQL
    const database = databases.get(this)
    if (database && !planned.has(sql)) {
      planned.add(sql)
      keep({
        by: `${by}, planning`,
        isBatch: false,
        ms: planning(database, sql),
        most: MOST_MS_OF_PLANNING,
        sql,
      })
    }
    const { found, ms } = shortest(() => all.apply(this, values), sql, database)
    note({ by, isBatch: false, ms, most: MOST_MS, sql })
    return found
  } as StatementSync['all']
  return () => {
    Object.assign(StatementSync.prototype, { all })
  }
}

/** How long SQLite plans a statement: once for each that the host keeps, but kept ones make way for others. */
function planning(database: DatabaseSync, sql: string): number {
  let best = Infinity
  for (let tries = 0; best > AGAIN_FROM_MS && tries < MOST_TRIES; tries++) {
    const begun = computed()
    prepare.call(database, sql)
    best = Math.min(best, computed() - begun)
  }
  return best
}

type Ask = (this: StatementSync, ...values: unknown[]) => unknown

/** Lets a statement run, once more where it took long; what it has written is taken back before. */
function shortest(run: () => unknown, sql: string, database: DatabaseSync | undefined) {
  const ask = () => {
    const begun = computed()
    const found = run()
    return { found, ms: computed() - begun }
  }
  const isPart = database?.isTransaction === true && !/^(?:BEGIN|COMMIT|ROLLBACK)/.test(sql)
  if (!isPart) {
    return ask()
  }
  database.exec('SAVEPOINT before')
  let best = ask()
  for (let tries = 1; best.ms > AGAIN_FROM_MS && tries < MOST_TRIES; tries++) {
    database.exec('ROLLBACK TO before')
    const next = ask()
    best = { ...next, ms: Math.min(best.ms, next.ms) }
  }
  database.exec('RELEASE before')
  return best
}

function note(timed: Timed): void {
  const { sql, ms } = timed
  if (sql.startsWith('BEGIN')) {
    batch = { by, isBatch: true, ms: 0, most: MOST_MS, sql: 'a batch of' }
  } else if (sql === 'COMMIT') {
    keep(batch)
    batch = undefined
  } else {
    keep(timed)
    if (batch) {
      batch.ms += ms
      batch.sql +=
        ms < 2 ? '' : `\n  ${ms.toFixed()} ms: ${sql.slice(0, 120).replaceAll(/\s+/g, ' ')}`
    }
  }
}

function keep(timed: Timed | undefined): void {
  const key = timed && `${timed.by} ${timed.isBatch}`
  if (key !== undefined && timed && timed.ms > (longest.get(key)?.ms ?? -1)) {
    longest.set(key, timed)
  }
}

/** Of each who sent statements, the longest of them and the longest batch; the longest of all first. */
export const longestOfEach = (): Timed[] => [...longest.values()].toSorted((a, b) => b.ms - a.ms)

export const inWords = ({ by: who, ms, sql }: Timed): string =>
  `${ms.toFixed(1)} ms by ${who}: ${sql.slice(0, 1500)}`

/** Shows a line to whoever asks for times: `COFFER_TIMES=20 npx vitest run test/statements`. */
export const show = (line: string): unknown =>
  process.env['COFFER_TIMES'] && process.stderr.write(`${line}\n`)

/** Shows as many of the longest as are asked for. */
export const showLongest = (): void =>
  longestOfEach()
    .slice(0, Number(process.env['COFFER_TIMES'] ?? 0))
    .map(inWords)
    .forEach(show)

/** How long the statement below takes on that quiet machine. */
const REFERENCE_MS = 4.5
const REFERENCE_TIMES = 30

/** How much slower this machine is at the moment; never less than 1. */
export function slowness(): number {
  const database = new DatabaseSync(':memory:')
  database.exec(`CREATE TABLE t (k TEXT PRIMARY KEY, v INTEGER) WITHOUT ROWID;
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 19999)
      INSERT INTO t SELECT printf('%026d', i * 7919 % 20011), i FROM n`)
  const lookUp = database.prepare(
    "SELECT sum(b.v) FROM t a JOIN t b ON b.k = printf('%026d', (a.v * 31) % 20011)",
  )
  // Once for SQLite to read all of it, and then often: some systems count the time of a thread in steps of several milliseconds.
  lookUp.get()
  const begun = computed()
  for (let times = 0; times < REFERENCE_TIMES; times++) {
    lookUp.get()
  }
  const ms = (computed() - begun) / REFERENCE_TIMES
  database.close()
  return Math.max(1, ms / REFERENCE_MS)
}
