import { join } from 'node:path'
import { openDatabase } from '../../src/hosts/node/database.ts'
import { applyMigrations } from '../../src/hosts/node/migrations.ts'

export const MIGRATIONS = join(import.meta.dirname, '../../migrations')

/**
 * Statements that make in one go what the migrations make, which takes ten times as long: tables, their rows, then indexes
 * and triggers.
 */
export async function migratedStatements(): Promise<string[]> {
  const database = openDatabase(':memory:')
  await applyMigrations(database, MIGRATIONS)
  const all = async <Row>(sql: string) => (await database.binding.prepare(sql).all<Row>()).results
  const things = await all<{ type: string; name: string; sql: string }>(
    "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*'",
  )
  const tables = things.filter(({ type }) => type === 'table')
  const rows = await Promise.all(
    tables.map(async ({ name }) => {
      const columns = await all<{ name: string }>(`SELECT name FROM pragma_table_info('${name}')`)
      const values = columns.map((column) => `quote("${column.name}")`).join(` || ', ' || `)
      const inserts = await all<{ sql: string }>(
        `SELECT 'INSERT INTO "${name}" VALUES (' || ${values} || ')' AS sql FROM "${name}"`,
      )
      return inserts.map(({ sql }) => sql)
    }),
  )
  database.close()
  const rest = things.filter(({ type }) => type !== 'table')
  return [...tables.map(({ sql }) => sql), ...rows.flat(), ...rest.map(({ sql }) => sql)]
}
