import { ledgerChecks } from '../../areas/ledger/ledger.public.ts'
import { verifyLog } from '../../areas/audit-log/audit-log.public.ts'
import type { Bindings } from '../../env.ts'
import type { Context } from '../../platform/context.ts'
import { read } from '../../platform/database.ts'
import { systemContext } from '../../platform/system-context.ts'
import type { SqliteDatabase } from './database.ts'
import type { Secrets } from './secrets.ts'

/** What is wrong with the books and the log of a database that is up to date; nothing when both are whole. */
export async function findDifferences(
  { binding }: SqliteDatabase,
  secrets: Secrets,
): Promise<string[]> {
  const bindings = { CORS_ORIGINS: '', CLIENT_IP_HEADER: '', ...secrets, DB: binding }
  const ctx = systemContext(bindings as unknown as Bindings, 'restore')
  const found = await read(ctx, ...Object.values(ledgerChecks).map((check) => check()))
  return [...found.flat().map(({ finding }) => finding), ...(await breaksIn(ctx))]
}

/** Where the chain of hashes over the log breaks first, if it does. */
async function breaksIn(ctx: Context): Promise<string[]> {
  for (let from: number | null = 1; from !== null;) {
    const { broken, next } = await verifyLog(ctx, from)
    if (broken) {
      const { number, logId, reason } = broken
      return [`entry ${logId ?? 'unknown'} of the audit log, number ${number}: ${reason}`]
    }
    from = next
  }
  return []
}
