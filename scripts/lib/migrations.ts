import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { inProject } from './project.ts'

type Database = Pick<D1Database, 'prepare' | 'batch'>

/**
 * Brings a local database up to date, each file in one transaction, and gives the names of those applied.
 * Keeps the same book as `wrangler d1 migrations apply`, so either may follow the other.
 */
export async function applyMigrations(database: Database): Promise<string[]> {
  await database.batch([
    database.prepare(
      'CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)',
    ),
  ])
  const [known] = await database.batch<{ name: string }>([
    database.prepare('SELECT name FROM d1_migrations'),
  ])
  const applied = new Set(known?.results.map(({ name }) => name))
  const missing = readdirSync(inProject('migrations'))
    .filter((name) => name.endsWith('.sql') && !applied.has(name))
    .toSorted()
  if (missing.length === 0) {
    return []
  }
  // Only here, as it takes a second to load.
  const { unstable_splitSqlQuery: split } = await import('wrangler')
  for (const name of missing) {
    const statements = split(readFileSync(inProject('migrations', name), 'utf8'))
    // All this can take longer than a connection to the database may idle: its end is noticed before the next request would use it.
    await setTimeout(0)
    await database.batch([
      ...statements.map((statement) => database.prepare(statement)),
      database.prepare('INSERT INTO d1_migrations (name) VALUES (?1)').bind(name),
    ])
  }
  return missing
}
