import { expect, it } from 'vitest'
import { openDatabase } from '../../src/hosts/node/database.ts'
import { applyMigrations } from '../../src/hosts/node/migrations.ts'
import { MIGRATIONS } from '../../scripts/lib/project.ts'
import { openMigrated } from '../support/node-host.ts'

/** All that a database holds, by name. */
async function contentsOf(database: D1Database): Promise<Record<string, unknown[]>> {
  const all = async (sql: string) => (await database.prepare(sql).all()).results
  const schema = await all('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name')
  const contents: Record<string, unknown[]> = { schema }
  for (const { name } of schema.filter(({ type }) => type === 'table')) {
    // Migrations are stamped with when they were run.
    const rows = await all(`SELECT * FROM "${String(name)}"`)
    contents[String(name)] = rows.map(({ applied_at: _, ...row }) => row)
  }
  return contents
}

it('is for tests what the migrations make', async () => {
  const database = openDatabase(':memory:')
  await applyMigrations(database, MIGRATIONS)
  expect(await contentsOf(await openMigrated())).toEqual(await contentsOf(database.binding))
})
