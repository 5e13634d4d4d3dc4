import { rm } from 'node:fs/promises'
import { backup, DatabaseSync } from 'node:sqlite'

/**
 * All pages at once. SQLite begins a copy of several steps anew whenever another process has written between two of
 * them, so under constant writes it would never end. Writers wait for no step, however long it takes.
 */
const ALL_PAGES = 2 ** 31 - 1

/** The time that reading waits for another process that holds the database exclusively. */
const BUSY_MS = 5000

/**
 * Copies a database, which may be in use, as it is at one moment; into one file, without a write-ahead log beside it.
 * @throws Error that names the damage where the copy is damaged
 */
export const takeSnapshot = (file: string, target: string): Promise<void> =>
  naming(file, async () => {
    await rm(target, { force: true })
    const source = new DatabaseSync(file, { readOnly: true, timeout: BUSY_MS })
    try {
      await backup(source, target, { rate: ALL_PAGES })
    } finally {
      source.close()
    }
    onDatabase(target, false, (snapshot) => snapshot.exec('PRAGMA journal_mode = DELETE'))
    lookThrough(target)
  })

/**
 * Looks at every page and every reference of a database that nobody has open.
 * @throws Error that names the first damage
 */
export const requireSound = (file: string): Promise<void> =>
  naming(file, async () => lookThrough(file))

class Damage extends Error {}

function lookThrough(file: string): void {
  onDatabase(file, true, (database) => {
    const [found] = database.prepare('PRAGMA integrity_check(1)').all()
    if (found?.['integrity_check'] !== 'ok') {
      throw new Damage(String(found?.['integrity_check']))
    }
    const [broken] = database.prepare('PRAGMA foreign_key_check').all()
    if (broken) {
      const { table, parent } = broken as unknown as BrokenReference
      throw new Damage(`a row of ${table} names a row of ${parent} that is not there`)
    }
  })
}

interface BrokenReference {
  table: string
  parent: string
}

/** A file as a row names it. */
export interface NamedObject {
  key: string
  /** Null where no row says it. */
  sha256: string | null
}

/** The newest migration of a database that nobody has open, and the files that its rows name. */
export function contentsOf(file: string): { migration: string; objects: NamedObject[] } {
  return onDatabase(file, true, (database) => {
    const rowsOf = <Row>(sql: string) => database.prepare(sql).all() as unknown as Row[]
    const [newest] = rowsOf<{ name: string }>('SELECT max(name) AS name FROM d1_migrations')
    // Any version of the service keeps the key of a file in a column of this name, and its hash, if at all, beside it.
    const tables = rowsOf<{ name: string; hasHash: number }>(`SELECT t.name,
        EXISTS (SELECT 1 FROM pragma_table_info(t.name) h WHERE h.name = 'sha256') AS hasHash
      FROM sqlite_schema t JOIN pragma_table_info(t.name) c
      WHERE t.type = 'table' AND c.name = 'object_key'`)
    return {
      migration: newest?.name ?? '',
      // An archive has its key before there is a file, and its hash after that.
      objects: tables.flatMap(({ name, hasHash }) =>
        rowsOf<NamedObject>(
          hasHash === 1
            ? `SELECT object_key AS key, sha256 FROM "${name}" WHERE object_key IS NOT NULL AND sha256 IS NOT NULL`
            : `SELECT DISTINCT object_key AS key, NULL AS sha256 FROM "${name}" WHERE object_key IS NOT NULL`,
        ),
      ),
    }
  })
}

function onDatabase<Result>(
  file: string,
  readOnly: boolean,
  work: (database: DatabaseSync) => Result,
): Result {
  const database = new DatabaseSync(file, { readOnly })
  try {
    return work(database)
  } finally {
    database.close()
  }
}

/** The result codes of SQLite for a file that is damaged, or no database: https://sqlite.org/rescode.html. */
const DAMAGE = [11, 26]

/** Tells which file is damaged. */
async function naming<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const { message, errcode = 0 } = error as Error & { errcode?: number }
    const isDamage = error instanceof Damage || DAMAGE.includes(errcode & 0xff)
    throw isDamage
      ? new Error(`The database ${file} is damaged: ${message}.`, { cause: error })
      : error
  }
}
