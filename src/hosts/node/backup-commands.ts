import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { systemPorts } from '../../platform/context.ts'
import { type Place, say } from './commands.ts'
import { backUpData } from './data-backup.ts'
import { restoreData } from './data-restore.ts'
import { secretsElsewhere } from './secrets.ts'

/** Copies the data folder of a service, which may be running, into a new or empty folder. */
export async function backup({ data, variables }: Place, args: string[]): Promise<number> {
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
export async function restore(place: Place, args: string[]): Promise<number> {
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
