import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { runSteps, type Steps } from '../../domain/steps.ts'
import { type BoundStatement, Connection } from './connection.ts'
import { type LogSync, NO_LOG, openLogSync, type ToDisk, toDisk } from './log-sync.ts'

// The part of D1 that the service uses, over one SQLite file. SQLite runs in this thread, so a batch is one
// transaction, and a long one lets others read in between, on a second connection that sees nothing of it.

/** The limits of D1 under the names of Node. Older versions of Node do not know them. */
const LIMITS = {
  column: 100,
  compoundSelect: 5,
  exprDepth: 100,
  length: 2_000_000,
  likePatternLength: 50,
  sqlLength: 100_000,
  triggerDepth: 10,
  vdbeOp: 25_000,
}

/**
 * The size of the write-ahead log at which it is moved into the file, which this thread waits for: 16 MB. Pages that
 * many commits have written are moved once.
 */
const LOGGED_PAGES = 4000

interface Options {
  /** The time that a batch waits for another process that writes, such as `npm run admin:invite`. */
  busyMs?: number
  /** Another disk than the machine's: for tests. */
  bring?: ToDisk
  /** True if nobody else opens the file, and nobody keeps it: for tests. */
  isScratch?: boolean
}

/**
 * The pause of a task before each of its batches, and of a long transaction in between. Requests are answered then.
 */
const PAUSE_MS = 1

/** The longest time that a transaction holds this thread, apart from its longest statement. */
const SLICE_MS = 10

export interface SqliteDatabase {
  /** The binding `DB` of the service. */
  binding: D1Database
  /** The binding for tasks, which would otherwise keep this thread from everybody else until they end. */
  background: D1Database
  /** Runs SQL text of any number of statements: migrations and pragmas. */
  exec: (sql: string) => void
  /** True if text of `exec` has begun a transaction that has not ended. */
  isInTransaction: () => boolean
  /** @throws Error that names the first damage that SQLite finds in the file */
  requireIntact: () => void
  /** Moves what is in the write-ahead log into the file, and closes it. */
  close: () => void
}

/**
 * Opens a SQLite file, which is made where there is none, or a database in memory (`:memory:`). What a batch has
 * committed is on the disk when its promise is fulfilled.
 * @throws Error of SQLite when the file is no database or cannot be written
 */
export function openDatabase(
  path: string,
  { busyMs = 5000, bring = toDisk, isScratch = false }: Options = {},
): SqliteDatabase {
  const sqlite = new DatabaseSync(path, { timeout: busyMs, limits: LIMITS })
  sqlite.exec(
    `${isScratch ? AS_IN_MEMORY : LOGGED}; PRAGMA foreign_keys = ON; ${ALWAYS}; PRAGMA cache_size = -16000`,
  )
  const isKept = path !== ':memory:' && !isScratch
  const log = isKept ? openLogSync(`${path}-wal`, bring) : NO_LOG
  const batches = new Batches(
    new Connection(sqlite, log.committed),
    log,
    isKept ? () => openReader(path, busyMs) : undefined,
  )
  return {
    binding: bindingOf((statements) => batches.batch(statements, false)),
    background: bindingOf(async (statements) => {
      await pause(PAUSE_MS)
      return batches.batch(statements, true)
    }),
    exec: (sql) => {
      sqlite.exec(sql)
      log.committed()
    },
    isInTransaction: () => sqlite.isTransaction,
    requireIntact: () => {
      const [found] = sqlite.prepare('PRAGMA quick_check(1)').all()
      if (found?.['quick_check'] !== 'ok') {
        throw new Error(String(found?.['quick_check']))
      }
    },
    close: () => {
      batches.forget()
      sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      sqlite.close()
      log.close()
    },
  }
}

/** With NORMAL, SQLite brings commits to the disk only when it moves them into the file. `log` does before that. */
const LOGGED = `PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = ${LOGGED_PAGES}`

const AS_IN_MEMORY =
  'PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE'

const ALWAYS = 'PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY'

/** It reads seldom, so it remembers little of the file. */
function openReader(path: string, timeout: number): Connection {
  const sqlite = new DatabaseSync(path, { readOnly: true, timeout, limits: LIMITS })
  sqlite.exec(`${ALWAYS}; PRAGMA cache_size = -4000`)
  return new Connection(sqlite, () => undefined)
}

type Batch = (statements: Prepared[]) => Promise<D1Result[]>

/**
 * The part of a D1 binding that the service uses. There are no replicas: every session sees all that was committed.
 */
function bindingOf(batch: Batch): D1Database {
  const binding = {
    prepare: (sql: string) => new Prepared(batch, sql, []),
    batch,
    withSession: () => binding,
    getBookmark: () => null,
  }
  return binding as unknown as D1Database
}

/** The batches of one database, each of which is a transaction. */
class Batches {
  readonly #connection: Connection
  readonly #log: LogSync
  readonly #openReader: (() => Connection) | undefined
  #reader: Connection | undefined
  /** True if an open transaction has paused to let others in. */
  #isPaused = false
  /** Fulfilled when the batch that came last is done; of those that requests read, by themselves. */
  #last = Promise.resolve()
  #lastRead = Promise.resolve()
  /** For how long batches have held this thread, less what was made up for. */
  #heldMs = 0

  /** @param openReader opens a second connection to the same file; there is none to a database in memory */
  constructor(connection: Connection, log: LogSync, openReader: (() => Connection) | undefined) {
    this.#connection = connection
    this.#log = log
    this.#openReader = openReader
  }

  /** No result is returned before it is on the disk, whether this batch or another one committed it. */
  async batch(statements: Prepared[], isOfTask: boolean): Promise<D1Result[]> {
    const isRead = this.#openReader && !isOfTask && this.#connection.isReading(statements)
    try {
      return await (isRead ? this.#readInTurn(statements) : this.#transactInTurn(statements))
    } finally {
      await this.#log.stored()
    }
  }

  /** Transacts batches in the order in which they came. */
  async #transactInTurn(statements: Prepared[]): Promise<D1Result[]> {
    const before = this.#last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last = promise
    await before
    await this.#letOthersIn()
    try {
      return await this.#inSlices(this.#connection.transact(statements))
    } finally {
      resolve()
    }
  }

  /** Runs reads of requests without waiting for a paused transaction. They see the state before it. */
  async #readInTurn(statements: Prepared[]): Promise<D1Result[]> {
    const before = this.#lastRead
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#lastRead = promise
    await before
    await this.#letOthersIn()
    const startedAt = performance.now()
    try {
      return runSteps((this.#isPaused ? this.#beside() : this.#connection).transact(statements))
    } finally {
      this.#heldMs += performance.now() - startedAt
      resolve()
    }
  }

  #beside(): Connection {
    this.#reader ??= this.#openReader?.()
    return this.#reader ?? this.#connection
  }

  /** Lets this thread look for requests: Node takes one connection whenever it looks, so it looks for each millisecond. */
  async #letOthersIn(): Promise<void> {
    for (; this.#heldMs >= 1; this.#heldMs--) {
      await nextTurn()
    }
  }

  /** A long transaction pauses between its statements, where others can read meanwhile. */
  async #inSlices(transaction: Steps<D1Result[]>): Promise<D1Result[]> {
    let startedAt = performance.now()
    const addHeld = () => (this.#heldMs += performance.now() - startedAt)
    try {
      for (;;) {
        const { done, value } = transaction.next()
        if (done) {
          return value
        }
        if (this.#openReader && performance.now() - startedAt >= SLICE_MS) {
          addHeld()
          this.#isPaused = true
          await pause(PAUSE_MS)
          await this.#letOthersIn()
          this.#isPaused = false
          startedAt = performance.now()
        }
      }
    } finally {
      addHeld()
    }
  }

  /** Lets go of all prepared statements, and of the second connection. */
  forget(): void {
    this.#connection.forget()
    this.#reader?.close()
  }
}

class Prepared implements BoundStatement {
  readonly #batch: Batch
  readonly sql: string
  readonly values: SQLInputValue[]

  constructor(batch: Batch, sql: string, values: SQLInputValue[]) {
    this.#batch = batch
    this.sql = sql
    this.values = values
  }

  bind(...values: unknown[]): Prepared {
    return new Prepared(this.#batch, this.sql, values.map(toSql))
  }

  async all(): Promise<D1Result> {
    const [result] = await this.#batch([this])
    return result as D1Result
  }

  run(): Promise<D1Result> {
    return this.all()
  }
}

/** A boolean is 0 or 1, and nothing else is changed: what D1 refuses to bind is refused here, too. */
function toSql(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') {
    return value ? 1 : 0
  }
  if (value === null || ['number', 'string'].includes(typeof value)) {
    return value as SQLInputValue
  }
  if (value instanceof Uint8Array) {
    return value
  }
  throw new Error(`D1_TYPE_ERROR: Type '${typeof value}' not supported`)
}
