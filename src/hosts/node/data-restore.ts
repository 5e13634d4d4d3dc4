import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pkg from '../../../package.json' with { type: 'json' }
import { ledgerChecks } from '../../ledger/integrity/integrity.public.ts'
import { verifyAuditLog } from '../../areas/insight/audit-log/audit-log.public.ts'
import type { Bindings } from '../../env.ts'
import type { Context } from '../../platform/context.ts'
import { read } from '../../platform/database/database.ts'
import { systemContext } from '../../platform/system-context.ts'
import { databaseFile, filesFolder, lockData, lockFile } from './data-folder.ts'
import {
  copyFile,
  type DataManifest,
  readManifest,
  requireAsInManifest,
  some,
  syncTree,
} from './data-manifest.ts'
import { openDatabase, type SqliteDatabase } from './database.ts'
import { openFiles, syncPath } from './files.ts'
import { applyMigrations, migrationFiles } from './migrations.ts'
import { ensureSecrets, missingSecrets, secretsFile, type Secrets } from './secrets.ts'
import { contentsOf, requireSound } from './snapshot.ts'

/** The folder in which everything is copied and checked before it is moved to its place. */
const STAGING = '.restoring'

interface RestoreOptions {
  backup: string
  /** The data folder: new or empty. */
  data: string
  /** The folder of the SQL files that make the tables. */
  migrations: string
  variables: Record<string, string | undefined>
  /** Restores books and a log that contradict themselves, too. */
  acceptDifferences: boolean
}

interface Restored {
  manifest: DataManifest
  /** Migrations that the backup did not have. */
  applied: string[]
  /** The faults in the tables, the books and the log. */
  differences: string[]
}

/**
 * Copies a backup into a data folder and brings its database up to date.
 * @throws Error with a sentence for the operator; the data folder is as it was then
 */
export async function restoreData(options: RestoreOptions): Promise<Restored> {
  const { data } = options
  const made = firstMissing(data)
  const isNewLock = !existsSync(lockFile(data))
  const unlock = lockData(data)
  let isEmpty = false
  try {
    requireEmpty(data)
    isEmpty = true
    const restored = await restoreInto(join(data, STAGING), options)
    unlock()
    return restored
  } catch (error) {
    for (const name of isEmpty ? contentsOfFolder(data) : []) {
      rmSync(join(data, name), { recursive: true })
    }
    if (isNewLock) {
      // While it is held, so that nobody else can hold it under this name.
      rmSync(lockFile(data))
    }
    unlock()
    if (made !== undefined) {
      removeFolders(data, made)
    }
    throw error
  }
}

function requireEmpty(data: string): void {
  const present = contentsOfFolder(data).filter((name) => name !== STAGING)
  if (present.length > 0) {
    throw new Error(
      `The data folder ${data} is not empty: it has ${some(present)}. Set COFFER_DATA to a new folder.`,
    )
  }
}

/** Without the lock, and what SQLite puts beside it. */
const contentsOfFolder = (data: string) =>
  readdirSync(data).filter((name) => !join(data, name).startsWith(lockFile(data)))

async function restoreInto(staging: string, options: RestoreOptions): Promise<Restored> {
  const { backup, data, migrations, variables, acceptDifferences } = options
  const manifest = await readManifest(backup)
  if (!migrationFiles(migrations).includes(manifest.migration)) {
    throw new Error(
      `${backup} was made by version ${manifest.version} of the service. This one (${pkg.version}) does not know the migration ${manifest.migration} of its database. Restore it with that version.`,
    )
  }
  await requireAsInManifest(backup, manifest)
  // A killed restore may have left files.
  await rm(staging, { recursive: true, force: true })
  await mkdir(filesFolder(staging), { recursive: true })
  for (const path of Object.keys(manifest.files)) {
    await copyFile(join(backup, path), join(staging, path))
  }
  await requireAsInManifest(staging, manifest)
  await requireSound(databaseFile(staging))
  requireNamedFiles(backup, staging, manifest)
  const { applied, differences } = await bringUpToDate(staging, migrations, variables)
  if (differences.length > 0 && !acceptDifferences) {
    throw new Error(
      `The database of ${backup} contradicts itself: ${some(differences)}. Add --accept-differences to restore it anyway.`,
    )
  }
  await moveInto(data, staging)
  return { manifest, applied, differences }
}

/** The files of a backup are those that its database names, but for those that were missing when it was made. */
function requireNamedFiles(backup: string, staging: string, manifest: DataManifest): void {
  const { objects } = contentsOf(databaseFile(staging))
  const prefix = 'files/'
  const stored = new Set(
    Object.keys(manifest.files)
      .filter((path) => path.startsWith(prefix))
      .map((path) => path.slice(prefix.length)),
  )
  const named = new Set(objects.map(({ key }) => key)).difference(new Set(manifest.missing))
  const findings = [
    ...[...named.difference(stored)].map((key) => `file ${key} is missing`),
    ...[...stored.difference(named)].map((key) => `file ${key} belongs to no row`),
  ]
  if (findings.length > 0) {
    throw new Error(`${backup} is incomplete: ${some(findings)}.`)
  }
}

async function bringUpToDate(
  staging: string,
  migrations: string,
  variables: RestoreOptions['variables'],
): Promise<Pick<Restored, 'applied' | 'differences'>> {
  const missing = missingSecrets(staging, variables)
  if (missing.length > 0) {
    throw new Error(
      `The backup does not have ${missing.join(', ')}. Set them in the environment, as they are for the service that was backed up.`,
    )
  }
  const secrets = await ensureSecrets(staging, variables, true)
  const database = openDatabase(databaseFile(staging))
  try {
    const applied = await applyMigrations(database, migrations)
    const files = openFiles(filesFolder(staging))
    const differences = await findDifferences({ database, files, migrations, secrets })
    return { applied, differences }
  } finally {
    database.close()
  }
}

/** The database last: a data folder without one is not taken for a service's. */
async function moveInto(data: string, staging: string): Promise<void> {
  await syncTree(staging)
  for (const placeIn of [filesFolder, secretsFile, databaseFile]) {
    if (existsSync(placeIn(staging))) {
      await rename(placeIn(staging), placeIn(data))
    }
  }
  await rm(staging, { recursive: true })
  await syncPath(data)
}

/** The topmost folder of a path that is not there yet. */
function firstMissing(path: string): string | undefined {
  if (existsSync(path)) {
    return undefined
  }
  return firstMissing(dirname(path)) ?? path
}

/** Removes the folders of a path from its end up to one of them. */
function removeFolders(path: string, last: string): void {
  rmdirSync(path)
  if (path !== last) {
    removeFolders(dirname(path), last)
  }
}

interface Checked {
  database: SqliteDatabase
  /** The bucket with the segments of the log. */
  files: R2Bucket
  /** The folder of the SQL files that make the tables. */
  migrations: string
  secrets: Secrets
}

/** Finds the faults in the tables, the books and the log of an up-to-date database. */
async function findDifferences({
  database,
  files,
  migrations,
  secrets,
}: Checked): Promise<string[]> {
  const lacks = await lackingIn(database, migrations)
  if (lacks.length > 0) {
    return lacks
  }
  const stores = { DB: database.binding, FILES: files }
  const bindings = { CORS_ORIGINS: '', CLIENT_IP_HEADER: '', ...secrets, ...stores }
  const ctx = systemContext(bindings as unknown as Bindings, 'restore')
  const found = await read(ctx, ...Object.values(ledgerChecks).map((check) => check()))
  return [...found.flat().map(({ finding }) => finding), ...(await breaksIn(ctx))]
}

/** Finds the parts of the schema that the database lacks, such as a trigger that was left out in a manual copy. */
async function lackingIn(database: SqliteDatabase, migrations: string): Promise<string[]> {
  const fresh = openDatabase(':memory:')
  try {
    await applyMigrations(fresh, migrations)
    const present = new Set(await schemaOf(database))
    const expected = await schemaOf(fresh)
    return expected.filter((one) => !present.has(one)).map((one) => `the ${one} is missing`)
  } finally {
    fresh.close()
  }
}

async function schemaOf({ binding }: SqliteDatabase): Promise<string[]> {
  const { results } = await binding
    .prepare(
      `SELECT type || ' ' || name AS one FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
    )
    .all<{ one: string }>()
  return results.map(({ one }) => one)
}

/** Finds the first break in the chain of hashes over the log. */
async function breaksIn(ctx: Context): Promise<string[]> {
  for (let from: number | null = 1; from !== null;) {
    const { broken, next } = await verifyAuditLog(ctx, from)
    if (broken) {
      const { number, logId, reason } = broken
      return [`entry ${logId ?? 'unknown'} of the audit log, number ${number}: ${reason}`]
    }
    from = next
  }
  return []
}
