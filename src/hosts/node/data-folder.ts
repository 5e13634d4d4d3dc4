import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Bindings, settingsOf } from '../../env.ts'
import { openMail } from './mail.ts'
import { applyMigrations } from './migrations.ts'
import { openDatabase, type SqliteDatabase } from './database.ts'
import { ensureSecrets, type Secrets } from './secrets.ts'

// The data folder holds all that a service on Node keeps: `coffer.sqlite`, `files/` and `secrets.env`.

export const databaseFile = (data: string): string => join(data, 'coffer.sqlite')
export const filesFolder = (data: string): string => join(data, 'files')
export const lockFile = (data: string): string => join(data, 'lock')

/**
 * Makes this process the only one that serves a data folder, until it ends or calls what this gives: SQLite holds a lock
 * of the operating system on the file `lock`, so that a killed process leaves nothing behind.
 * @throws Error when the folder cannot be written, or another process has it
 */
export function lockData(data: string): () => void {
  const unlock = tryToLock(data)
  if (!unlock) {
    throw new Error(`The data folder ${data} is in use by another process. Stop that one first.`)
  }
  return unlock
}

/** Locks the folder like `lockData`, but returns undefined when another process has it. */
export function tryToLock(data: string): (() => void) | undefined {
  try {
    mkdirSync(data, { recursive: true, mode: 0o700 })
    accessSync(data, constants.W_OK)
  } catch (cause) {
    throw new Error(`The data folder ${data} cannot be written.`, { cause })
  }
  const lock = new DatabaseSync(lockFile(data), { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return () => lock.close()
  } catch (cause) {
    lock.close()
    if (isOneOf(BUSY, cause)) {
      return undefined
    }
    throw new Error(`The file ${lockFile(data)} cannot be locked: ${sentenceOf(cause)}.`, { cause })
  }
}

/** @throws Error where there is no database in the folder */
export function mustHaveDatabase(data: string): void {
  if (!existsSync(databaseFile(data))) {
    throw new Error(
      `There is no database in the data folder ${data}. Set COFFER_DATA to another one.`,
    )
  }
}

/** Makes the bindings of the service without its database, files and queue. */
export const bindingsOf = (
  variables: Record<string, string | undefined>,
  secrets: Secrets,
): Bindings =>
  ({
    CORS_ORIGINS: '',
    CLIENT_IP_HEADER: '',
    ...variables,
    ...secrets,
    ...(variables['SMTP_URL'] ? { MAIL: openMail(variables['SMTP_URL']) } : {}),
  }) as unknown as Bindings

// Result codes of SQLite: https://sqlite.org/rescode.html.
const BUSY = [5]
const DAMAGE = [11, 26]

const isOneOf = (codes: number[], error: unknown) =>
  codes.includes(((error as { errcode?: number }).errcode ?? 0) & 0xff)

const sentenceOf = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).replaceAll('\n', ' ')

export interface OpenData {
  database: SqliteDatabase
  secrets: Secrets
}

/**
 * Opens the database of a data folder, whole and up to date, and finds its secrets. What the service cannot run with
 * stops it before anything is stored.
 * @param migrations the folder of the SQL files that make its tables
 * @throws Error with a sentence for the operator when something there cannot be used
 */
export async function openData(
  data: string,
  migrations: string,
  variables: Record<string, string | undefined>,
): Promise<OpenData> {
  const file = databaseFile(data)
  const secrets = await ensureSecrets(data, variables, existsSync(file), (found) =>
    settingsOf(bindingsOf(variables, found)),
  )
  const database = openWhole(file)
  await applyMigrations(database, migrations)
  return { database, secrets }
}

/** @throws Error when the file is no database, a damaged one, or one that cannot be opened, as on a full disk */
function openWhole(file: string): SqliteDatabase {
  try {
    const database = openDatabase(file)
    database.requireIntact()
    return database
  } catch (cause) {
    const reason = sentenceOf(cause)
    // Damage that SQLite finds by reading through the file has no code.
    const isDamaged = !('errcode' in (cause as object)) || isOneOf(DAMAGE, cause)
    throw new Error(
      isDamaged
        ? `The database ${file} is damaged (${reason}). Restore a backup into an empty folder.`
        : `The database ${file} cannot be opened: ${reason}.`,
      { cause },
    )
  }
}
