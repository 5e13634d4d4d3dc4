import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { inProject } from '../../scripts/lib/project.ts'
import { databaseFile, lockFile, openData, tryToLock } from '../../src/hosts/node/data-folder.ts'
import { openDatabase } from '../../src/hosts/node/database.ts'
import { applyMigrations } from '../../src/hosts/node/migrations.ts'
import { freshSecrets } from '../../src/hosts/node/secrets.ts'
import { temporaryFolder } from '../support/running.ts'

// Why a data folder cannot be used is told as it is: who reads of damage goes back to an old backup.

const root = temporaryFolder()
const MIGRATIONS = inProject('migrations')
let data: string
let serial = 0

beforeEach(() => {
  data = join(root.path, String(++serial))
  mkdirSync(data)
})

afterAll(() => root.remove())

it('is in use only when another process has it', () => {
  const unlock = tryToLock(data)
  expect(tryToLock(data)).toBeUndefined()
  unlock?.()
  writeFileSync(lockFile(data), 'no lock '.repeat(1000))
  expect(() => tryToLock(data)).toThrow(
    `The file ${lockFile(data)} cannot be locked: file is not a database.`,
  )
})

it('has a damaged database only when what is in the file is wrong', async () => {
  const secrets = await freshSecrets()
  const file = databaseFile(data)
  mkdirSync(file)
  await expect(openData(data, MIGRATIONS, secrets)).rejects.toThrow(
    `The database ${file} cannot be opened: unable to open database file.`,
  )
})

it('tells why a migration failed when the fault has rolled it back already', async () => {
  const file = databaseFile(data)
  const database = openDatabase(file)
  database.exec('PRAGMA max_page_count = 20')
  await expect(applyMigrations(database, MIGRATIONS)).rejects.toThrow(
    'The migration 0000_baseline.sql failed: database or disk is full.',
  )
  database.close()
  const left = new DatabaseSync(file)
  expect(left.prepare('SELECT name FROM d1_migrations').all()).toEqual([])
  left.close()
})
