/**
 * `npm run admin:invite`: a one-time code that makes whoever registers with it an administrator. For the data folder,
 * also while it is served; with `--remote` for the deployed database, through wrangler, which gets all arguments.
 */
import './lib/dev-globals.ts'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inviteAdministrator } from '../src/areas/identity/invites/invites.public.ts'
import type { Bindings } from '../src/env.ts'
import { freshSecrets } from '../src/hosts/node/secrets.ts'
import { systemContext } from '../src/platform/system-context.ts'
import { wrangler } from './lib/project.ts'
import { recorder } from './lib/sql-text.ts'

const where = process.argv.slice(2)

if (where.length === 0) {
  process.argv.push('admin-invite')
  await import('./start.ts')
} else {
  const { database, text } = recorder()
  // The written rows contain nothing that depends on the secrets of the deployed service.
  const variables = { ...(await freshSecrets()), CORS_ORIGINS: '', CLIENT_IP_HEADER: '' }
  const env = { ...variables, DB: { withSession: () => database } } as unknown as Bindings
  const code = await inviteAdministrator(systemContext(env, 'adminInvite'))
  const folder = mkdtempSync(join(tmpdir(), 'coffer-invite-'))
  try {
    const file = join(folder, 'invite.sql')
    writeFileSync(file, text(), { mode: 0o600 })
    wrangler(['d1', 'execute', 'DB', '--env=', '--yes', '--file', file, ...where])
  } finally {
    rmSync(folder, { recursive: true })
  }
  console.log(
    `Invite code for an administrator, good for one registration within 7 days:\n\n  ${code}\n`,
  )
}
