import { setImmediate as letOthersIn, setTimeout as pause } from 'node:timers/promises'
import {
  DatabaseSync,
  type SQLInputValue,
  type SQLOutputValue,
  type StatementSync,
} from 'node:sqlite'
import { type LogSync, NO_LOG, openLogSync, type ToDisk, toDisk } from './log-sync.ts'

// As much of D1 as the service asks for, over one SQLite file. SQLite runs in this thread, so a batch is never
// interrupted by another one: it is one transaction from its first statement to its last.

/** As on D1, so that what runs here runs there. */
const MOST_PARAMETERS = 100

/** Likewise, in the words of Node; an older one does not know of them. */
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

/** How many prepared statements are kept; each may hold a plan of some kilobytes. */
const MOST_STATEMENTS = 1000

/**
 * How long the write-ahead log grows before it is moved into the file, which this thread waits for: 16 MB. What many
 * commits have written is moved once.
 */
const LOGGED_PAGES = 4000

interface Options {
  /** How long a batch waits for another process that writes, such as `npm run admin:invite`. */
  busyMs?: number
  /** Another disk than the machine's: for tests. */
  bring?: ToDisk
  /** The file that a database in memory begins as: for tests. */
  image?: Uint8Array | undefined
}

/** How long a task waits before each of its batches: requests are answered then. */
const PAUSE_MS = 1

export interface SqliteDatabase {
  /** What the service calls `DB`. */
  binding: D1Database
  /** The same for tasks, which would otherwise keep this thread from everybody else until they end. */
  background: D1Database
  /** Runs SQL text of any number of statements: migrations and pragmas. */
  exec: (sql: string) => void
  /** Whether text of `exec` has begun a transaction that has not ended. */
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
  { busyMs = 5000, bring = toDisk, image }: Options = {},
): SqliteDatabase {
  const sqlite = new DatabaseSync(path, { timeout: busyMs, limits: LIMITS })
  if (image) {
    sqlite.deserialize(image)
  }
  // With NORMAL, SQLite brings commits to the disk only when it moves them into the file. `log` does before that.
  sqlite.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;
    PRAGMA trusted_schema = OFF; PRAGMA cache_size = -16000; PRAGMA temp_store = MEMORY;
    PRAGMA wal_autocheckpoint = ${LOGGED_PAGES}`)
  const log = path === ':memory:' ? NO_LOG : openLogSync(`${path}-wal`, bring)
  const connection = new Connection(sqlite, log)
  return {
    binding: bindingOf((statements) => connection.batch(statements)),
    background: bindingOf(async (statements) => {
      await pause(PAUSE_MS)
      return connection.batch(statements)
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
      connection.forget()
      sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      sqlite.close()
      log.close()
    },
  }
}

type Batch = (statements: Prepared[]) => Promise<D1Result[]>

/** What the service asks of a D1 binding. There are no replicas: every session sees all that was committed. */
function bindingOf(batch: Batch): D1Database {
  const binding = {
    prepare: (sql: string) => new Prepared(batch, sql, []),
    batch,
    withSession: () => binding,
    getBookmark: () => null,
  }
  return binding as unknown as D1Database
}

class Connection {
  readonly #sqlite: DatabaseSync
  readonly #log: LogSync
  readonly #statements = new Map<string, Kept>()
  /** Fulfilled when the batch that came last is done. */
  #last = Promise.resolve()
  /** For how long batches have held this thread, less what was made up for. */
  #heldMs = 0

  constructor(sqlite: DatabaseSync, log: LogSync) {
    this.#sqlite = sqlite
    this.#log = log
  }

  /** Nothing is told before it is on the disk, be it that or what another batch has committed. */
  async batch(statements: Prepared[]): Promise<D1Result[]> {
    try {
      return await this.#inTurn(statements)
    } finally {
      await this.#log.stored()
    }
  }

  /**
   * Transacts batches in the order in which they came, and lets this thread look for requests in between: Node takes one
   * connection whenever it looks, so for each millisecond that was held it looks once.
   */
  async #inTurn(statements: Prepared[]): Promise<D1Result[]> {
    const before = this.#last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last = promise
    await before
    for (; this.#heldMs >= 1; this.#heldMs--) {
      await letOthersIn()
    }
    const startedAt = performance.now()
    try {
      return this.#transact(statements)
    } finally {
      this.#heldMs += performance.now() - startedAt
      resolve()
    }
  }

  #transact(statements: Prepared[]): D1Result[] {
    const isReading = statements.every(
      ({ sql }) => this.#statements.get(sql)?.isReading ?? onlyReads(sql),
    )
    // What reads need not wait for another process that writes.
    this.#run(isReading ? 'BEGIN' : 'BEGIN IMMEDIATE')
    try {
      const results = statements.map(({ sql, values }) => this.#run(sql, values))
      this.#run('COMMIT')
      if (!isReading) {
        this.#log.committed()
      }
      return results
    } catch (error) {
      // Some faults, such as a full disk, have rolled back already.
      if (this.#sqlite.isTransaction) {
        this.#run('ROLLBACK')
      }
      throw error
    }
  }

  /** Lets go of all prepared statements. */
  forget(): void {
    this.#statements.clear()
  }

  #run(sql: string, values: SQLInputValue[] = []): D1Result {
    const startedAt = performance.now()
    try {
      if (values.length > MOST_PARAMETERS) {
        throw new Error('too many SQL variables')
      }
      const { statement, columns, isReading } = this.#statement(sql)
      const rows = isReading ? rowsRead(statement, values) : rowsOf(statement, values)
      const results = rows.map((row) => objectOf(columns, row))
      return { results, success: true, meta: metaOf(performance.now() - startedAt) }
    } catch (error) {
      throw worded(error)
    }
  }

  #statement(sql: string): Kept {
    const known = this.#statements.get(sql)
    if (known) {
      return known
    }
    const [oldest] = this.#statements.size >= MOST_STATEMENTS ? this.#statements.keys() : []
    if (oldest !== undefined) {
      this.#statements.delete(oldest)
    }
    const statement = this.#sqlite.prepare(sql)
    statement.setReturnArrays(true)
    const columns = statement.columns().map(({ name }) => name)
    const kept = { statement, columns, isReading: onlyReads(sql) }
    this.#statements.set(sql, kept)
    return kept
  }
}

/** As arrays: the type knows of objects only. */
const rowsOf = (statement: StatementSync, values: SQLInputValue[]): SQLOutputValue[][] =>
  statement.all(...values) as unknown as SQLOutputValue[][]

/** What a query finds. Node refuses integers that numbers do not hold exactly; D1 answers the nearest number. */
function rowsRead(statement: StatementSync, values: SQLInputValue[]): SQLOutputValue[][] {
  try {
    return rowsOf(statement, values)
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_OUT_OF_RANGE') {
      throw error
    }
  }
  statement.setReadBigInts(true)
  try {
    return rowsOf(statement, values).map((row) =>
      row.map((value) => (typeof value === 'bigint' ? Number(value) : value)),
    )
  } finally {
    statement.setReadBigInts(false)
  }
}

interface Kept {
  statement: StatementSync
  /** Their names. */
  columns: string[]
  isReading: boolean
}

/** Whether a statement certainly writes nothing. */
const onlyReads = (sql: string): boolean =>
  /^\s*(SELECT|WITH)\b/i.test(sql) && !/\b(INSERT|UPDATE|DELETE|REPLACE\s+INTO)\b/i.test(sql)

/** Made here, as the objects that Node makes of rows are hash tables, and slow to read. */
function objectOf(columns: string[], row: SQLOutputValue[]): Record<string, SQLOutputValue> {
  const object: Record<string, SQLOutputValue> = {}
  for (let at = 0; at < columns.length; at++) {
    object[columns[at] as string] = row[at] as SQLOutputValue
  }
  return object
}

class Prepared {
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

/** Node does not tell how many rows a statement has read. How long it held the thread is what the others waited. */
const metaOf = (duration: number) =>
  ({ duration, rows_read: 0, rows_written: 0 }) as D1Meta & Record<string, unknown>

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

/** The primary result codes of SQLite that the service tells apart: https://sqlite.org/rescode.html. */
const CODES: Record<number, string> = {
  5: 'SQLITE_BUSY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  19: 'SQLITE_CONSTRAINT',
}

/** The error as D1 words it: `D1_ERROR: UNIQUE constraint failed: users.email_key: SQLITE_CONSTRAINT`. */
function worded(error: unknown): Error {
  const { message, errcode = 0 } = error as Error & { errcode?: number }
  const code = CODES[errcode & 0xff] ?? 'SQLITE_ERROR'
  return new Error(`D1_ERROR: ${message}: ${code}`, { cause: error })
}
