import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { inject } from 'vitest'
import { databaseFile } from '../../src/hosts/node/data-folder.ts'
import { freshSecrets } from '../../src/hosts/node/secrets.ts'
import { inProject } from '../../scripts/lib/project.ts'
import { DEAF_MAIL_SERVER, migratedFolder } from './releases.ts'
import { runNode, temporaryFolder } from './running.ts'

/** A release that is killed at work and started again on the same data. */
export interface Killable {
  /** Gives where it listens. */
  start: () => Promise<string>
  kill: () => Promise<void>
  /** Asks its database, whether it runs or not. */
  stored: <Row>(sql: string, readOnly?: boolean) => Row[]
  remove: () => void
}

const ask = <Row>(file: string, sql: string, readOnly: boolean): Row[] => {
  // A runtime may take a moment more to die than who started it.
  const database = new DatabaseSync(file, { readOnly, timeout: 10_000 })
  try {
    return database.prepare(sql).all() as Row[]
  } finally {
    database.close()
  }
}

export function killableOnNode(variables: Record<string, string>): Killable {
  const data = temporaryFolder()
  let child: ChildProcess | undefined
  return {
    start: async () => {
      const service = await runNode(inject('nodeRelease'), data.path, variables)
      child = service.child
      return service.url
    },
    kill: async () => {
      if (child && child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit')
        child.kill('SIGKILL')
        await ended
      }
    },
    stored: (sql, readOnly = false) => ask(databaseFile(data.path), sql, readOnly),
    remove: data.remove,
  }
}

/** A release in workerd as a process of its own, which its data folder has as a file. */
export async function serveRelease(
  data: string,
  bindings: Record<string, string>,
  sql = '',
): Promise<{ url: string; child: ChildProcess }> {
  const bundle = join(data, 'release.js')
  if (!existsSync(bundle)) {
    writeFileSync(bundle, inject('release'))
  }
  const mail = bindings['MAIL_FROM'] === undefined ? {} : DEAF_MAIL_SERVER.worker
  const worker = { ...inject('workerOptions'), ...mail }
  const told = [bindings, worker].map((one) => JSON.stringify(one))
  const child = spawn(
    process.execPath,
    [inProject('test/support/serve-release.ts'), bundle, data, ...told, sql],
    // A group of its own, so that it is killed with the runtime that it starts.
    { cwd: inProject(), stdio: ['ignore', 'pipe', 'inherit'], detached: true },
  )
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  return { url: said.toString().trim(), child }
}

interface KillableInWorkerd extends Killable {
  /** Runs SQL before anything else does. */
  start: (sql?: string) => Promise<string>
  /** Lets the service do what its clock starts at that time. */
  tick: (cron: string) => Promise<unknown>
}

export async function killableOnWorkerd(
  variables: Record<string, string>,
): Promise<KillableInWorkerd> {
  const data = migratedFolder()
  const bindings = { ...(await freshSecrets()), ...variables }
  let service: { url: string; child: ChildProcess } | undefined
  const tick = (cron: string) =>
    fetch(`${service?.url}/cdn-cgi/local/scheduled?cron=${encodeURIComponent(cron)}`).catch(
      () => undefined,
    )
  const isUp = (url: string) => service?.url === url
  /** The clock that the service has on its network, all the time. */
  const goOnTicking = async (url: string) => {
    while (isUp(url)) {
      await tick('*/5 * * * *')
      await wait(100)
    }
  }
  return {
    start: async (sql) => {
      service = await serveRelease(data.path, bindings, sql)
      void goOnTicking(service.url)
      return service.url
    },
    tick,
    kill: async () => {
      const child = service?.child
      service = undefined
      if (child?.pid !== undefined) {
        const ended = once(child, 'exit')
        process.kill(-child.pid, 'SIGKILL')
        await ended
      }
    },
    stored: (sql, readOnly = false) => {
      const files = readdirSync(data.path, { recursive: true, encoding: 'utf8' })
      const file = files.find((one) => /d1.*[0-9a-f]{64}\.sqlite$/i.test(one)) ?? 'none'
      return ask(join(data.path, file), sql, readOnly)
    },
    remove: data.remove,
  }
}
