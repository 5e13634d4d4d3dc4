/**
 * `npm run admin:invite`: a one-time code that makes whoever registers with it an administrator. For the local
 * database; with `--remote` for the deployed one, through wrangler, which gets all arguments.
 */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inviteAdministrator } from '../src/areas/invites/invites.usecases.ts'
import { withLocalService } from './lib/local-service.ts'
import { dataFolder, wrangler } from './lib/project.ts'
import { recorder } from './lib/sql-text.ts'

const where = process.argv.slice(2)

const code = await withLocalService(async ({ makeContext }) => {
  if (where.length === 0) {
    return inviteAdministrator(makeContext({ operation: 'adminInvite' }))
  }
  const { database, text } = recorder()
  const invited = await inviteAdministrator(makeContext({ operation: 'adminInvite', database }))
  const file = join(dataFolder(), `invite-${process.pid}.sql`)
  writeFileSync(file, text(), { mode: 0o600 })
  try {
    wrangler(['d1', 'execute', 'DB', '--env=', '--yes', '--file', file, ...where])
  } finally {
    rmSync(file)
  }
  return invited
})
console.log(
  `Invite code for an administrator, good for one registration within 7 days:\n\n  ${code}\n`,
)
