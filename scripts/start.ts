/**
 * `npm start`: the release on this machine, built when it is missing or older than its sources. With a command it does
 * what an operator asks for instead: see src/hosts/node/commands.ts.
 */
import { existsSync } from 'node:fs'
import { inProject } from './lib/project.ts'
import { ensureNodeRelease } from './lib/node-release.ts'

if (existsSync(inProject('.env'))) {
  process.loadEnvFile(inProject('.env'))
}
process.env['COFFER_DATA'] ??= inProject('.coffer/data')
await import(await ensureNodeRelease())
