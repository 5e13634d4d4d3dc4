import { openDatabase, type SqliteDatabase } from '../../src/hosts/node/database.ts'
import { applyMigrations } from '../../src/hosts/node/migrations.ts'
import { MIGRATIONS } from './project.ts'

/** Characters of one statement: D1 takes 100 kB. */
const MOST_CHARACTERS = 90_000

/**
 * All that a database holds, as statements for an empty one, in one batch: its tables, their rows, and at last the
 * triggers, so that they do not count the rows once more.
 */
export async function databaseAsSql({ binding }: SqliteDatabase): Promise<string[]> {
  const rowsOf = async <Row>(sql: string) => (await binding.prepare(sql).all<Row>()).results
  const made = await rowsOf<{ type: string; name: string; sql: string }>(
    "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
  )
  const tables = made.filter(({ type }) => type === 'table')
  const inserts: string[] = []
  for (const { name } of tables) {
    const columns = await rowsOf<{ name: string }>(`SELECT name FROM pragma_table_info('${name}')`)
    const values = columns.map((column) => `quote("${column.name}")`).join(` || ',' || `)
    const rows = await rowsOf<{ row: string }>(
      `SELECT '(' || ${values} || ')' AS row FROM "${name}"`,
    )
    inserts.push(
      ...together(rows.map(({ row }) => row)).map((some) => `INSERT INTO "${name}" VALUES ${some}`),
    )
  }
  const ofType = (...types: string[]) =>
    made.filter(({ type }) => types.includes(type)).map(({ sql }) => sql)
  return [
    // Rows come in the order of their tables, not in that of what they refer to.
    'PRAGMA defer_foreign_keys = ON',
    // Indexes come before the rows, because a foreign key refers to something that is unique by an index.
    ...ofType('table', 'index'),
    ...inserts,
    ...ofType('view', 'trigger'),
  ]
}

/** Returns the SQL of a migrated database. D1 runs it much faster than the migrations one by one. */
export async function migratedAsSql(): Promise<string[]> {
  const database = openDatabase(':memory:')
  try {
    await applyMigrations(database, MIGRATIONS)
    return await databaseAsSql(database)
  } finally {
    database.close()
  }
}

/** Joins texts by commas, as many as one statement takes. */
function together(texts: string[]): string[] {
  const joined: string[] = []
  for (const text of texts) {
    const last = joined.at(-1)
    if (last !== undefined && last.length + text.length < MOST_CHARACTERS) {
      joined[joined.length - 1] = `${last},${text}`
    } else {
      joined.push(text)
    }
  }
  return joined
}
