import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import type { Steps } from '../../domain/steps.ts'

/** The limit of D1, so that statements that run here run there. */
const MOST_PARAMETERS = 100

/** The number of prepared statements that are kept; each may hold a plan of some kilobytes. */
const MOST_STATEMENTS = 1000

/** A statement of a batch, with the values that are bound to it. */
export interface BoundStatement {
  sql: string
  values: SQLInputValue[]
}

/** A connection of SQLite that answers as D1 does. */
export class Connection {
  readonly #sqlite: DatabaseSync
  readonly #committed: () => void
  readonly #statements = new Map<string, KeptStatement>()

  /** @param committed called after each commit that may have written */
  constructor(sqlite: DatabaseSync, committed: () => void) {
    this.#sqlite = sqlite
    this.#committed = committed
  }

  /** True if a batch certainly writes nothing. */
  isReading(statements: BoundStatement[]): boolean {
    return statements.every(({ sql }) => this.#statements.get(sql)?.isReading ?? onlyReads(sql))
  }

  /** One transaction, with a step after each statement. Whoever begins it must take all of its steps. */
  *transact(statements: BoundStatement[]): Steps<D1Result[]> {
    const isReading = this.isReading(statements)
    // A batch that only reads need not wait for another process that writes.
    this.#run(isReading ? 'BEGIN' : 'BEGIN IMMEDIATE')
    try {
      const results: D1Result[] = []
      for (const { sql, values } of statements) {
        results.push(this.#run(sql, values))
        yield
      }
      this.#run('COMMIT')
      if (!isReading) {
        this.#committed()
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

  close(): void {
    this.forget()
    this.#sqlite.close()
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

  #statement(sql: string): KeptStatement {
    const known = this.#statements.get(sql)
    if (known) {
      // Behind all others: the first is the one that was not used for longest.
      this.#statements.delete(sql)
      this.#statements.set(sql, known)
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

/** Reads the rows as arrays; the type knows of objects only. */
const rowsOf = (statement: StatementSync, values: SQLInputValue[]): SQLOutputValue[][] =>
  statement.all(...values) as unknown as SQLOutputValue[][]

/**
 * Reads the rows of a query. Node refuses integers that numbers do not hold exactly; D1 answers the nearest number.
 */
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

interface KeptStatement {
  statement: StatementSync
  /** Their names. */
  columns: string[]
  isReading: boolean
}

/** True if a statement certainly writes nothing. */
export const onlyReads = (sql: string): boolean =>
  /^\s*(SELECT|WITH)\b/i.test(sql) && !/\b(INSERT|UPDATE|DELETE|REPLACE\s+INTO)\b/i.test(sql)

/** Made here, as the objects that Node makes of rows are hash tables, and slow to read. */
function objectOf(columns: string[], row: SQLOutputValue[]): Record<string, SQLOutputValue> {
  const object: Record<string, SQLOutputValue> = {}
  for (let at = 0; at < columns.length; at++) {
    object[columns[at] as string] = row[at] as SQLOutputValue
  }
  return object
}

/** Node does not tell how many rows a statement has read. How long it held the thread is what the others waited. */
const metaOf = (duration: number) =>
  ({ duration, rows_read: 0, rows_written: 0 }) as D1Meta & Record<string, unknown>

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
