import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { inject } from 'vitest'
import { databaseFile } from '../../src/hosts/node/data-folder.ts'
import { freshSecrets } from '../../src/hosts/node/secrets.ts'
import { inProject } from '../../scripts/lib/project.ts'
import { migratedFolder } from './releases.ts'
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

export async function killableOnWorkerd(variables: Record<string, string>): Promise<Killable> {
  const data = migratedFolder()
  const bundle = join(data.path, 'release.js')
  writeFileSync(bundle, inject('release'))
  const bindings = JSON.stringify({ ...(await freshSecrets()), ...variables })
  let service: { url: string; child: ChildProcess } | undefined
  return {
    start: async () => {
      const child = spawn(
        process.execPath,
        [inProject('test/support/serve-release.ts'), bundle, data.path, bindings],
        // A group of its own, so that it is killed with the runtime that it starts.
        { cwd: inProject(), stdio: ['ignore', 'pipe', 'inherit'], detached: true },
      )
      const [said] = (await once(child.stdout, 'data')) as [Buffer]
      const url = said.toString().trim()
      service = { url, child }
      void tickAt(url, () => service?.url === url)
      return url
    },
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

/** The clock that the service has on its network, all the time. */
async function tickAt(url: string, isUp: () => boolean): Promise<void> {
  const path = `/cdn-cgi/local/scheduled?cron=${encodeURIComponent('*/5 * * * *')}`
  while (isUp()) {
    await fetch(url + path).catch(() => undefined)
    await wait(100)
  }
}
