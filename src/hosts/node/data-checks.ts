import { ledgerChecks } from '../../ledger/integrity/integrity.public.ts'
import { verifyAuditLog } from '../../areas/insight/audit-log/audit-log.public.ts'
import type { Bindings } from '../../env.ts'
import type { Context } from '../../platform/context.ts'
import { read } from '../../platform/database/database.ts'
import { systemContext } from '../../platform/system-context.ts'
import { openDatabase, type SqliteDatabase } from './database.ts'
import { applyMigrations } from './migrations.ts'
import type { Secrets } from './secrets.ts'

interface Checked {
  database: SqliteDatabase
  /** Where the segments of the log are. */
  files: R2Bucket
  /** The folder of the SQL files that make the tables. */
  migrations: string
  secrets: Secrets
}

/** What is wrong with the tables, the books and the log of a database that is up to date; nothing when they are whole. */
export async function findDifferences({
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

/** What the migrations make and the database does not have, such as a trigger that a copy by hand has left out. */
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

/** Where the chain of hashes over the log breaks first, if it does. */
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
