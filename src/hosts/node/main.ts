import './globals.ts'
import { join, resolve } from 'node:path'
import {
  adminInvite,
  checkLedgerCommand,
  type DataPlace,
  reseal,
  say,
  backup,
  restoreCommand,
} from './commands.ts'
import { withDescription } from './description.ts'
import { failureReason } from './output.ts'
import { run } from './run.ts'

// The release on Node: `service.js` in dist/node, next to the migrations. `start.ts` loads it. Without a command it serves.

const place: DataPlace = {
  data: resolve(process.env['COFFER_DATA'] || '.coffer/data'),
  migrations: join(import.meta.dirname, 'migrations'),
  variables: process.env,
}

const serve = () =>
  run({
    ...place,
    around: withDescription(join(import.meta.dirname, 'openapi.json')),
    onReady: (url) => say(`Coffer listens on ${url}; its data is in ${place.data}.`),
  })

const commands: Record<string, (place: DataPlace, args: string[]) => Promise<number>> = {
  'admin-invite': adminInvite,
  backup,
  'check-ledger': checkLedgerCommand,
  reseal,
  restore: restoreCommand,
}

const [name, ...args] = process.argv.slice(2)
const command = name === undefined ? undefined : commands[name]
if (name === undefined) {
  await serve()
} else if (command) {
  process.exitCode = await command(place, args).catch((error: unknown) => {
    say(failureReason(error))
    return 1
  })
} else {
  say(
    `There is no command ${name}. Use one of ${Object.keys(commands).join(', ')}, or none to start the service.`,
  )
  process.exitCode = 1
}
