import { rm } from 'node:fs/promises'
import { backup, DatabaseSync } from 'node:sqlite'

/**
 * All pages at once. SQLite begins a copy of several steps anew whenever another process has written between two of
 * them, so under constant writes it would never end. Writers wait for no step, however long it takes.
 */
const ALL_PAGES = 2 ** 31 - 1

/** How long reading waits for another process that holds the database for itself. */
const BUSY_MS = 5000

/**
 * Copies a database, which may be in use, as it is at one moment; into one file, without a write-ahead log beside it.
 * @throws Error that names the damage where the copy is damaged
 */
export async function takeSnapshot(file: string, target: string): Promise<void> {
  await rm(target, { force: true })
  const source = new DatabaseSync(file, { readOnly: true, timeout: BUSY_MS })
  try {
    await backup(source, target, { rate: ALL_PAGES })
  } finally {
    source.close()
  }
  const snapshot = new DatabaseSync(target)
  try {
    snapshot.exec('PRAGMA journal_mode = DELETE')
  } finally {
    snapshot.close()
  }
  requireSound(target)
}

/**
 * Looks at every page and every reference of a database that nobody has open.
 * @throws Error that names the first damage
 */
export function requireSound(file: string): void {
  const [damage] = reading(file, (database) => [
    ...database
      .prepare('PRAGMA integrity_check(1)')
      .all()
      .map((row) => String(row['integrity_check']))
      .filter((finding) => finding !== 'ok'),
    ...(database.prepare('PRAGMA foreign_key_check').all() as unknown as BrokenReference[]).map(
      ({ table, parent }) => `a row of ${table} names a row of ${parent} that is not there`,
    ),
  ])
  if (damage !== undefined) {
    throw new Error(`The database ${file} is damaged: ${damage}.`)
  }
}

interface BrokenReference {
  table: string
  parent: string
}

/** A file as a row names it. */
export interface NamedObject {
  key: string
  sha256: string
}

/** The newest migration of a database that nobody has open, and the files that its rows name. */
export function contentsOf(file: string): { migration: string; objects: NamedObject[] } {
  return reading(file, (database) => {
    const rowsOf = <Row>(sql: string) => database.prepare(sql).all() as unknown as Row[]
    const [newest] = rowsOf<{ name: string }>('SELECT max(name) AS name FROM d1_migrations')
    // Any version of the service keeps the key of a file in a column of this name, and its hash beside it.
    const tables = rowsOf<{ name: string }>(`SELECT t.name
      FROM sqlite_schema t JOIN pragma_table_info(t.name) c
      WHERE t.type = 'table' AND c.name = 'object_key'`)
    return {
      migration: newest?.name ?? '',
      // An archive has its key before there is a file, and its hash after that.
      objects: tables.flatMap(({ name }) =>
        rowsOf<NamedObject>(`SELECT object_key AS key, sha256 FROM "${name}"
          WHERE object_key IS NOT NULL AND sha256 IS NOT NULL`),
      ),
    }
  })
}

function reading<Result>(file: string, read: (database: DatabaseSync) => Result): Result {
  try {
    const database = new DatabaseSync(file, { readOnly: true })
    try {
      return read(database)
    } finally {
      database.close()
    }
  } catch (cause) {
    throw new Error(`The database ${file} is damaged: ${(cause as Error).message}.`, { cause })
  }
}
