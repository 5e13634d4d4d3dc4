/**
 * `npm run db:generate [name]`: writes the next migration from drizzle/schema, drizzle/views and drizzle/triggers. Does what
 * drizzle-kit cannot: every table becomes STRICT, views and triggers that changed are made anew, and a table rebuild (which on
 * D1 loses rows and triggers) is refused.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MIGRATIONS } from './lib/project.ts'
import {
  changesOf,
  declaredViewsAndTriggers,
  migratedViewsAndTriggers,
} from './lib/views-and-triggers.ts'

const BREAK = '\n--> statement-breakpoint\n'

const listSql = () => readdirSync(MIGRATIONS).filter((file) => file.endsWith('.sql'))
const before = new Set(listSql())
const [name] = process.argv.slice(2)

/** Runs drizzle-kit, and gives the path of the file that it wrote, if it did. */
function generate(...options: string[]): string | undefined {
  const named = name === undefined ? [] : ['--name', name]
  const { status } = spawnSync(
    'drizzle-kit',
    ['generate', '--config', 'drizzle/drizzle.config.ts', ...named, ...options],
    { stdio: 'inherit' },
  )
  if (status !== 0) {
    process.exit(status ?? 1)
  }
  const written = listSql().find((file) => !before.has(file))
  return written && join(MIGRATIONS, written)
}

const changes = changesOf(migratedViewsAndTriggers(), declaredViewsAndTriggers())
const path = generate() ?? (changes.length > 0 ? generate('--custom') : undefined)
if (path !== undefined) {
  const tables = readFileSync(path, 'utf8')
  if (/DROP TABLE|foreign_keys\s*=\s*off/i.test(tables)) {
    unlinkSync(path)
    console.error(
      `${path} would rebuild a table, which on D1 deletes child rows and triggers. Write it by hand: expand, copy, contract.`,
    )
    process.exit(1)
  }
  const strictTables = tables.replaceAll(/^CREATE TABLE[^;]*?^\);$/gm, strict)
  writeFileSync(path, `${[strictTables, ...changes].join(BREAK)}\n`)
  console.log(`${path}: read it before you commit it.`)
}

/** A row whose key is several columns is stored in its key: one write and one seek less. */
function strict(table: string): string {
  const isKeyed = /^\tPRIMARY KEY\(/m.test(table)
  return table.replace(/\);$/, isKeyed ? ') STRICT, WITHOUT ROWID;' : ') STRICT;')
}
