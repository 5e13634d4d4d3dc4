/** `npm start`: the release on this machine, built when it is missing or older than its sources. */
import { ensureNodeRelease } from './lib/node-release.ts'

process.env['COFFER_DATA'] ??= '.coffer/server'
await import(await ensureNodeRelease())
