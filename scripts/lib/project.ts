import { spawnSync } from 'node:child_process'
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

/** The data folder that `npm start` serves; `COFFER_DATA` names another one. */
export const dataFolder = (): string =>
  resolve(process.env['COFFER_DATA'] || inProject('.coffer/data'))

/** The data folder that `npm run dev` serves, with the demo data; `COFFER_DATA` names another one. */
export const devFolder = (): string =>
  resolve(process.env['COFFER_DATA'] || inProject('.coffer/dev'))

export const MIGRATIONS = inProject('migrations')

export const WRANGLER = inProject('node_modules/wrangler/bin/wrangler.js')

/** Runs a wrangler command to its end and gives what it printed. */
export function wrangler(args: string[], env: Record<string, string> = {}): string {
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
