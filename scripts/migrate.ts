/** `npm run db:migrate`: migrates the local database; `npm run db:migrate -- --remote` the deployed one. */
import { spawnSync } from 'node:child_process'
import { lockData } from './lib/data-lock.ts'
import { dataFolder, inProject, WRANGLER } from './lib/project.ts'

const options = process.argv.slice(2)
const isRemote = options.includes('--remote')
if (!isRemote) {
  lockData(dataFolder())
}
const { status } = spawnSync(
  process.execPath,
  [
    WRANGLER,
    'd1',
    'migrations',
    'apply',
    'DB',
    ...(isRemote ? ['--env='] : ['--env=dev', '--local', `--persist-to=${dataFolder()}`]),
    ...options,
  ],
  {
    cwd: inProject(),
    // Locally there is nothing to confirm; CI is how wrangler is told so.
    env: { ...process.env, WRANGLER_LOG: 'log', ...(isRemote ? {} : { CI: '1' }) },
    stdio: 'inherit',
  },
)
process.exit(status ?? 1)
