import { cpSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, it } from 'vitest'
import { inProject } from '../../scripts/lib/project.ts'
import { runScript, temporaryFolder } from '../support/running.ts'

const files = readdirSync(inProject('migrations'))
  .filter((file) => file.endsWith('.sql'))
  .toSorted()
const sqlOf = (file: string) => readFileSync(inProject('migrations', file), 'utf8')

const database = new DatabaseSync(':memory:')
for (const file of files) {
  database.exec(sqlOf(file))
}
const copy = temporaryFolder()
afterAll(() => {
  database.close()
  copy.remove()
})

it('makes exactly these tables, indexes and triggers of an empty database', async () => {
  const made = database
    .prepare("SELECT type, name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY 1, 2")
    .all()
    .map(({ type, name }) => `${String(type)} ${String(name)}\n`)
  await expect(made.join('')).toMatchFileSnapshot('schema.txt')
})

it('makes every table strict', () => {
  const lax = database
    .prepare("SELECT name FROM pragma_table_list WHERE strict = 0 AND name NOT LIKE 'sqlite_%'")
    .all()
  expect(lax).toEqual([])
})

it('leaves a sound database', () => {
  expect(database.prepare('PRAGMA foreign_key_check').all()).toEqual([])
  expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
})

it.each([
  ['rebuilds or drops a table', /DROP\s+TABLE/i],
  ['switches foreign keys off', /foreign_keys\s*=\s*off/i],
  ['deletes what belongs to a deleted row', /ON\s+DELETE\s+CASCADE/i],
  ['replaces rows', /\bREPLACE\b(?!\s*\()/i],
])('never %s', (_, forbidden) => {
  const guilty = files.filter((file) => forbidden.test(sqlOf(file).replaceAll(/--.*$/gm, '')))
  expect(guilty).toEqual([])
})

it('says all that drizzle/schema says', async () => {
  for (const entry of ['drizzle', 'migrations', 'scripts', 'package.json']) {
    cpSync(inProject(entry), join(copy.path, entry), { recursive: true })
  }
  symlinkSync(inProject('node_modules'), join(copy.path, 'node_modules'))
  const { code, printed } = await runScript('scripts/generate-migration.ts', [], {
    cwd: copy.path,
    env: { PATH: `${inProject('node_modules/.bin')}:${process.env['PATH']}` },
  })
  expect(code, printed).toBe(0)
  expect(
    readdirSync(join(copy.path, 'migrations')).filter((name) => name.endsWith('.sql')),
  ).toEqual(files)
})
