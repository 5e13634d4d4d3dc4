import { readdirSync, readFileSync } from 'node:fs'
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { inProject } from '../../scripts/lib/project.ts'

/** The names of all migrations, in their order. */
export const files = readdirSync(inProject('migrations'))
  .filter((file) => file.endsWith('.sql'))
  .toSorted()

export const sqlOf = (file: string): string => readFileSync(inProject('migrations', file), 'utf8')

/** Inserts a row of a table as it is then, with something in every column that needs it. */
export function insert(
  into: DatabaseSync,
  table: string,
  row: Record<string, SQLInputValue>,
): void {
  const needed = into
    .prepare(
      'SELECT name, type FROM pragma_table_info(?) WHERE "notnull" = 1 AND dflt_value IS NULL',
    )
    .all(table)
    .map(({ name, type }) => [name, type === 'INTEGER' ? 0 : ''])
  const full: Record<string, SQLInputValue> = { ...Object.fromEntries(needed), ...row }
  const names = Object.keys(full).map((name) => `"${name}"`)
  into
    .prepare(`INSERT INTO ${table} (${names.join()}) VALUES (${names.map(() => '?').join()})`)
    .run(...Object.values(full))
}
