import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Nothing that a script starts calls home, asks a question or prints more than its errors. */
Object.assign(process.env, {
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_LOG: process.env['WRANGLER_LOG'] ?? 'error',
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_WRITE_LOGS: 'false',
  X_LOCAL_OBSERVABILITY: 'false',
})

export const inProject = (...parts: string[]): string =>
  join(resolve(import.meta.dirname, '../..'), ...parts)

/** The folder of the local database; `COFFER_DATA` names another one. */
export const dataFolder = (): string =>
  resolve(process.env['COFFER_DATA'] ?? inProject('.coffer/data'))

export const WRANGLER = inProject('node_modules/wrangler/bin/wrangler.js')

/** Where development builds serve Swagger UI from. */
export const ASSETS = inProject('.coffer/assets')

/** Runs a wrangler command to its end and gives what it printed. */
export function wrangler(args: string[], env: Record<string, string> = {}): string {
  // wrangler takes no configuration that names a folder which is not there.
  mkdirSync(ASSETS, { recursive: true })
  const { status, stdout, stderr } = spawnSync(process.execPath, [WRANGLER, ...args], {
    cwd: inProject(),
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  if (status !== 0) {
    throw new Error(`wrangler ${args.join(' ')} failed\n${stdout}${stderr}`)
  }
  return stdout
}
