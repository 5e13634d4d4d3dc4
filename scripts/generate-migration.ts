/**
 * `npm run db:generate [name]`: writes the next migration from drizzle/schema, then does what drizzle-kit
 * cannot: every table becomes STRICT, and a table rebuild (which on D1 loses rows and triggers) is refused.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../migrations')
const listSql = () => readdirSync(folder).filter((file) => file.endsWith('.sql'))

const before = new Set(listSql())
const name = process.argv[2]
const outcome = spawnSync(
  'drizzle-kit',
  ['generate', '--config', 'drizzle/drizzle.config.ts', ...(name ? ['--name', name] : [])],
  { stdio: 'inherit' },
)
if (outcome.status !== 0) {
  process.exit(outcome.status ?? 1)
}

for (const file of listSql().filter((candidate) => !before.has(candidate))) {
  const path = join(folder, file)
  const text = readFileSync(path, 'utf8')
  if (/DROP TABLE|foreign_keys\s*=\s*off/i.test(text)) {
    unlinkSync(path)
    console.error(
      `${file} would rebuild a table, which on D1 deletes child rows and triggers. Write it by hand: expand, copy, contract.`,
    )
    process.exit(1)
  }
  writeFileSync(path, text.replaceAll(/^CREATE TABLE[^;]*?^\);$/gm, strict))
  console.log(`${file}: read it before you commit it.`)
}

/** A row whose key is several columns is stored in its key: one write and one seek less. */
function strict(table: string): string {
  const isKeyed = /^\tPRIMARY KEY\(/m.test(table)
  return table.replace(/\);$/, isKeyed ? ') STRICT, WITHOUT ROWID;' : ') STRICT;')
}
