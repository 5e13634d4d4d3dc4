import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { inject } from 'vitest'
import type { DataManifest } from '../../src/hosts/node/data-manifest.ts'
import { type NodeProcess, runNode, runScript } from './running.ts'

// The release for Node as an operator has it: the folder dist/node alone, far from the project and its packages.

export const PASSWORD = 'only for this one test'

const VARIABLES = {
  REGISTRATION: 'open',
  PASSWORD_COST: '1',
  LOGIN_LIMIT_CLIENT: '1000000',
  LOGIN_LIMIT_ACCOUNT: '1000000',
}

export interface Operator {
  start: (data: string) => Promise<NodeProcess>
  /** Runs a command of the release to its end. */
  run: (
    data: string,
    args: string[],
    env?: Record<string, string>,
  ) => Promise<{ code: number | null; printed: string }>
}

export function newOperator(): Operator {
  const folder = inject('releaseApart')
  return {
    start: (data) => runNode(join(folder, 'main.js'), data, VARIABLES),
    run: (data, args, env = {}) =>
      runScript('main.js', args, { cwd: folder, env: { COFFER_DATA: data, ...env } }),
  }
}

/** Somebody who is signed in. */
export interface Member {
  email: string
  /** Asks for JSON; fails where the answer is not a success. */
  ask: <Answer>(method: string, path: string, body?: object | Uint8Array) => Promise<Answer>
  download: (path: string) => Promise<Uint8Array>
}

/** Registers somebody, or signs them in where they are known. */
export async function enter(
  url: string,
  email: string,
  options: { isKnown?: boolean; inviteCode?: string } = {},
): Promise<Member> {
  const { isKnown = false, inviteCode } = options
  const known = { email, password: PASSWORD }
  const registration = { ...known, name: 'Ada', ...(inviteCode ? { inviteCode } : {}) }
  const { accessToken } = await send<{ accessToken: string }>(
    new Request(`${url}${isKnown ? '/auth/v2/login' : '/auth/register'}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(isKnown ? known : registration),
    }),
  )
  const Authorization = `Bearer ${accessToken}`
  return {
    email,
    ask: (method, path, body) =>
      send(
        new Request(url + path, {
          method,
          headers: {
            Authorization,
            ...(body instanceof Uint8Array ? {} : { 'Content-Type': 'application/json' }),
          },
          ...(body ? { body: body instanceof Uint8Array ? body : JSON.stringify(body) } : {}),
        }),
      ),
    download: async (path) => {
      const response = await fetch(url + path, { headers: { Authorization } })
      return new Uint8Array(await response.arrayBuffer())
    },
  }
}

async function send<Answer>(request: Request): Promise<Answer> {
  const response = await fetch(request)
  const text = await response.text()
  if (!response.ok) {
    throw new Error(`${request.method} ${request.url}: ${response.status} ${text}`)
  }
  return JSON.parse(text) as Answer
}

export const sha256 = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex')

export const manifestOf = (backup: string): DataManifest =>
  JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8')) as DataManifest

/** Changes the manifest of a backup. */
export function rewrite(backup: string, change: (manifest: DataManifest) => void): void {
  const manifest = manifestOf(backup)
  change(manifest)
  writeFileSync(join(backup, 'manifest.json'), JSON.stringify(manifest))
}

/** Has the manifest of a backup say what its files are like now. */
export const acknowledge = (backup: string): void =>
  rewrite(backup, ({ files }) => {
    for (const path of Object.keys(files)) {
      const bytes = readFileSync(join(backup, path))
      files[path] = { size: bytes.byteLength, sha256: sha256(bytes) }
    }
  })

/** Changes a database without its triggers, which keep rows as they are. */
export function changeByForce(file: string, sql: string): void {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA foreign_keys = OFF')
  const triggers = database
    .prepare(`SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'`)
    .all() as { name: string; sql: string }[]
  database.exec(triggers.map(({ name }) => `DROP TRIGGER "${name}"`).join(';'))
  database.exec(sql)
  database.exec(triggers.map((trigger) => trigger.sql).join(';\n'))
  database.close()
}
