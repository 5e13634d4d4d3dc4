/**
 * `npm run db:migrate`: migrates the database of the data folder, as `npm start` does by itself; with `--remote` the
 * deployed one, through wrangler, which gets all arguments.
 */
import { spawnSync } from 'node:child_process'
import { withLocalService } from './lib/local-service.ts'
import { dataFolder, inProject, WRANGLER } from './lib/project.ts'

const options = process.argv.slice(2)
if (options.length === 0) {
  await withLocalService(dataFolder(), () => Promise.resolve())
  console.log(`The database of ${dataFolder()} is up to date.`)
} else {
  const { status } = spawnSync(
    process.execPath,
    [WRANGLER, 'd1', 'migrations', 'apply', 'DB', '--env=', ...options],
    { cwd: inProject(), env: { ...process.env, WRANGLER_LOG: 'log' }, stdio: 'inherit' },
  )
  process.exit(status ?? 1)
}
