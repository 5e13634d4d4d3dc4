/**
 * `npm start`: the release on this machine, built when it is missing or older than its sources. With a command it does
 * what an operator asks for instead: see src/hosts/node/commands.ts.
 */
import { loadEnvFile } from './lib/env-file.ts'
import { ensureNodeRelease } from './lib/node-release.ts'
import { dataFolder } from './lib/project.ts'

loadEnvFile()
process.env['COFFER_DATA'] = dataFolder()
await import(await ensureNodeRelease())
