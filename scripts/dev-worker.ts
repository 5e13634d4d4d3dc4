/**
 * `npm run dev:worker`: the development build in the local runtime of Workers, by `wrangler dev`. Secrets, database and demo data
 * are made when they are missing, and the clock's work is started every minute.
 */
import './lib/dev-globals.ts'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import { work } from '../src/areas/index.ts'
import { databaseFile, filesFolder } from '../src/hosts/node/data-folder.ts'
import { openDatabase } from '../src/hosts/node/database.ts'
import { freshSecrets } from '../src/hosts/node/secrets.ts'
import { databaseAsSql } from './lib/database-as-sql.ts'
import { ensureDemoData, greeting } from './lib/demo-data.ts'
import { loadEnvFile } from './lib/env-file.ts'
import { freePort } from './lib/free-port.ts'
import { applyMigrations } from './lib/migrations.ts'
import { inProject, WRANGLER } from './lib/project.ts'
import { startRuntime } from './lib/runtime.ts'

/** The file in which `wrangler dev` looks for secrets. */
const SECRETS = inProject('.dev.vars')
/** Swagger UI is served from here, so no browser has to reach a public network. */
const ASSETS = inProject('dist/dev-assets')
const MINUTE_MS = 60_000
const HALF_SECOND_MS = 500

loadEnvFile()
/** Without `COFFER_DATA`, where `wrangler dev` keeps its data when somebody starts it directly. */
const data = process.env['COFFER_DATA'] || inProject('.wrangler/state')

const secrets = await ensureSecrets()
await prepareStores()
cpSync(inProject('node_modules/swagger-ui-dist'), join(ASSETS, 'swagger/assets/swagger-ui-dist'), {
  recursive: true,
})
await serve(Number(process.env['PORT'] || 8888) || (await freePort()))

/** Returns the secrets of `.dev.vars`, which is made with fresh ones when it is missing. */
async function ensureSecrets(): Promise<Record<string, string | undefined>> {
  if (!existsSync(SECRETS)) {
    const lines = Object.entries(await freshSecrets()).map(
      ([name, value]) => `${name}='${value}'\n`,
    )
    writeFileSync(SECRETS, lines.join(''), { mode: 0o600 })
  }
  return parseEnv(readFileSync(SECRETS, 'utf8'))
}

/** Brings the local database up to date; an empty one gets the demo data. */
async function prepareStores(): Promise<void> {
  const { miniflare, stop } = await startRuntime({
    ...{ data, environment: 'dev', script: 'export default { fetch: () => new Response() }' },
  })
  try {
    const DB = await miniflare.getD1Database('DB')
    if (await hasTables(DB)) {
      await applyMigrations(DB)
    } else {
      // Its type is that of another bucket.
      await copyDemoData(DB, (await miniflare.getR2Bucket('FILES')) as unknown as R2Bucket)
    }
  } finally {
    await stop()
  }
}

async function hasTables(database: Pick<D1Database, 'prepare'>): Promise<boolean> {
  const { results } = await database
    .prepare("SELECT 1 FROM sqlite_schema WHERE name = 'users'")
    .all()
  return results.length > 0
}

/**
 * Makes the demo data in a folder, as `npm run dev` does, and copies it: the runtime's database would take minutes for the
 * thousands of requests. All of the database or nothing is there, whenever this is interrupted.
 */
async function copyDemoData(
  database: Pick<D1Database, 'prepare' | 'batch'>,
  files: R2Bucket,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-demo-'))
  try {
    Object.assign(process.env, secrets)
    await ensureDemoData(folder)
    const keys = readdirSync(filesFolder(folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(filesFolder(folder), join(entry.parentPath, entry.name)))
    for (const key of keys) {
      await files.put(key, readFileSync(join(filesFolder(folder), key)))
    }
    const made = openDatabase(databaseFile(folder))
    const statements = await databaseAsSql(made)
    made.close()
    await database.batch(statements.map((sql) => database.prepare(sql)))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Runs `wrangler dev`, and its clock, until somebody stops it. */
async function serve(port: number): Promise<never> {
  const url = `http://localhost:${port}`
  const wrangler = spawn(
    process.execPath,
    [
      ...[WRANGLER, 'dev', '--env', 'dev', '--port', String(port), '--inspector-port', '0'],
      ...['--persist-to', data, '--assets', ASSETS, '--show-interactive-dev-session', 'false'],
    ],
    { cwd: inProject(), stdio: ['ignore', 'inherit', 'inherit'] },
  )
  const ended = once(wrangler, 'exit')
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => wrangler.kill(signal))
  }
  const tick = async (cron: string) => {
    const address = `${url}/cdn-cgi/handler/scheduled?cron=${encodeURIComponent(cron)}`
    await fetch(address).catch((error: unknown) => console.error(`The clock: ${String(error)}`))
  }
  while (wrangler.exitCode === null && !(await answers(url))) {
    await pause(HALF_SECOND_MS)
  }
  if (wrangler.exitCode === null) {
    // The nightly work of a deployed service is done at the start.
    for (const cron of Object.keys(work.schedule)) {
      await tick(cron)
    }
    console.log(greeting(url, 'A change of a source starts it anew.'))
    const [often = ''] = Object.keys(work.schedule)
    setInterval(() => void tick(often), MINUTE_MS)
  }
  const [code] = (await ended) as [number | null]
  process.exit(code ?? 0)
}

async function answers(url: string): Promise<boolean> {
  return fetch(`${url}/health`).then(
    ({ ok }) => ok,
    () => false,
  )
}
