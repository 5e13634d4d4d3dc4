import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import '../../areas/index.ts'
import { inviteAdministrator } from '../../areas/identity/invites/invites.public.ts'
import { checkNames, compareLedger } from '../../ledger/integrity/integrity.public.ts'
import { type Context, systemPorts } from '../../platform/context.ts'
import { resealAll } from '../../platform/secrets/reseal.ts'
import { RESEALABLE } from '../../platform/secrets/sealed-columns.ts'
import { systemContext } from '../../platform/system-context.ts'
import { bindingsOf, mustHaveDatabase, openData, tryToLock } from './data-folder.ts'
import { backUpData } from './data-backup.ts'
import { restoreData } from './data-restore.ts'
import { secretsElsewhere } from './secrets.ts'

// The commands with which an operator works on a data folder. Each prints its result and returns the exit code.

export interface DataPlace {
  /** The data folder. */
  data: string
  /** The folder of the SQL files that make the tables. */
  migrations: string
  variables: Record<string, string | undefined>
}

export const say = (line: string): unknown => process.stdout.write(`${line}\n`)

/** A one-time code that makes whoever registers with it an administrator; also while the folder is served. */
export const adminInvite = (place: DataPlace): Promise<number> =>
  withData(place, async (ctx) => {
    const code = await inviteAdministrator(ctx)
    say(
      `Invite code for an administrator of the service in ${place.data}, valid for one registration within 7 days:\n\n  ${code}\n`,
    )
    return 0
  })

/** Compares the ledger with itself, and what areas keep with it. A difference is an alarm, and is not repaired. */
export const checkLedgerCommand = (place: DataPlace): Promise<number> =>
  withExistingData(place, async (ctx) => {
    let differences = 0
    for await (const { found } of compareLedger(ctx)) {
      const findings = Object.values(found).flat()
      findings.forEach(say)
      differences += findings.length
    }
    say(`${checkNames().length} checks, ${differences} differences.`)
    return differences === 0 ? 0 : 1
  })

/** Brings every sealed secret under the first of ENCRYPTION_KEYS; the service does so by itself every night. */
export const reseal = (place: DataPlace): Promise<number> =>
  withExistingData(place, async (ctx) => {
    const { resealed, unreadable } = await resealAll(ctx)
    const columns = RESEALABLE.map(({ table, column }) => `${table}.${column}`).join(', ')
    say(
      resealed === 0
        ? `No record is encrypted with an older key (${columns}).`
        : `Re-encrypted ${resealed} records with the newest key.`,
    )
    for (const { table, id, field } of unreadable) {
      say(`No configured key decrypts ${table}.${field} of ${id}. It was left unchanged.`)
    }
    return unreadable.length === 0 ? 0 : 1
  })

/** Runs work that makes no sense in a new folder: without data it would look as if all were well. */
async function withExistingData(
  place: DataPlace,
  work: (ctx: Context) => Promise<number>,
): Promise<number> {
  mustHaveDatabase(place.data)
  return withData(place, work)
}

/** Runs the service's own code on a data folder, which a running service may have open at the same time. */
async function withData(
  { data, migrations, variables }: DataPlace,
  work: (ctx: Context) => Promise<number>,
): Promise<number> {
  const unlock = tryToLock(data)
  const { database, secrets } = await openData(data, migrations, variables)
  try {
    const env = { ...bindingsOf(variables, secrets), DB: database.binding }
    return await work(systemContext(env, 'script'))
  } finally {
    database.close()
    unlock?.()
  }
}

/** Copies the data folder of a service, which may be running, into a new or empty folder. */
export async function backup({ data, variables }: DataPlace, args: string[]): Promise<number> {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  const target = folderOf(positionals, 'backup')
  // Nobody else may read what is written.
  process.umask(0o077)
  const { createdAt, files, missing, damaged } = await backUpData(data, target, systemPorts.now)
  const all = Object.values(files)
  const bytes = all.reduce((sum, { size }) => sum + size, 0)
  say(`${target} is the backup of ${createdAt}: ${all.length} files with ${bytes} bytes.`)
  for (const key of missing) {
    say(`The database refers to the file ${key}, which was already missing.`)
  }
  for (const key of damaged) {
    say(`The file ${key} was already damaged: its content differs from the upload.`)
  }
  const elsewhere = secretsElsewhere(data, variables)
  if (elsewhere.length > 0) {
    say(`The backup does not have ${elsewhere.join(', ')}: keep a copy of them yourself.`)
  }
  return 0
}

/** Copies a backup into a new or empty data folder, and checks all of it. */
export async function restoreCommand(place: DataPlace, args: string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { 'accept-differences': { type: 'boolean', default: false } },
  })
  process.umask(0o077)
  const { manifest, applied, differences } = await restoreData({
    ...place,
    backup: folderOf(positionals, 'restore'),
    acceptDifferences: values['accept-differences'],
  })
  const { createdAt, files, missing, damaged } = manifest
  say(
    `${place.data} has the backup of ${createdAt}: ${Object.keys(files).length} files, unchanged.`,
  )
  say(
    `${applied.length} migrations applied, ${differences.length} differences in the ledger and the log.`,
  )
  for (const difference of differences) {
    say(difference)
  }
  for (const key of missing) {
    say(`The file ${key} was missing when the backup was made.`)
  }
  for (const key of damaged) {
    say(`The file ${key} was damaged when the backup was made.`)
  }
  return 0
}

function folderOf([folder, ...others]: string[], command: string): string {
  if (folder === undefined || others.length > 0) {
    throw new Error(`Name exactly one folder, that of the backup: npm run ${command} -- FOLDER`)
  }
  return resolve(folder)
}
