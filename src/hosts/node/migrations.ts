import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SqliteDatabase } from './database.ts'

/** The book that `wrangler d1 migrations apply` keeps, too: a database may move from one host to the other. */
const BOOK =
  'CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)'

/** The first migration of the versions before the baseline, which no way leads on from. */
const FIRST_BEFORE_BASELINE = '0000_foundation.sql'

/** The names of the SQL files of a folder, in the order in which they are applied. */
export const migrationFiles = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()

/**
 * Brings a database up to date, each file in one transaction, and gives the names of those applied.
 * @param folder the SQL files, in the order of their names
 * @throws Error when the database knows a migration that the folder does not have, or one of before the baseline
 */
export async function applyMigrations(
  { binding, exec, isInTransaction }: SqliteDatabase,
  folder: string,
): Promise<string[]> {
  exec(BOOK)
  const { results } = await binding
    .prepare('SELECT name FROM d1_migrations')
    .all<{ name: string }>()
  const applied = new Set(results.map(({ name }) => name))
  if (applied.has(FIRST_BEFORE_BASELINE)) {
    throw new Error(
      'The database was made by an earlier development version, whose tables this one does not know. Make a backup of each user with that version, and restore it with this one in a new data folder.',
    )
  }
  const files = migrationFiles(folder)
  const unknown = [...applied].find((name) => !files.includes(name))
  if (unknown !== undefined) {
    throw new Error(
      `The database is newer than this version of the service: it has the migration ${unknown}. Start the newer version, or restore an older backup.`,
    )
  }
  const missing = files.filter((name) => !applied.has(name))
  for (const name of missing) {
    const sql = readFileSync(join(folder, name), 'utf8')
    try {
      // The name is that of a file of the project itself.
      exec(`BEGIN IMMEDIATE; ${sql}; INSERT INTO d1_migrations (name) VALUES ('${name}'); COMMIT`)
    } catch (error) {
      // Some faults, such as a full disk, have rolled back already.
      if (isInTransaction()) {
        exec('ROLLBACK')
      }
      throw new Error(`The migration ${name} failed: ${(error as Error).message}.`, {
        cause: error,
      })
    }
  }
  return missing
}
