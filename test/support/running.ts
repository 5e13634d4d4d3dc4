import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshSecrets } from '../../scripts/lib/dev-vars.ts'
import { inProject } from '../../scripts/lib/project.ts'
import { startRelease } from '../../scripts/lib/release.ts'

/** A service of its own process, reached over HTTP like any other. */
export interface Running {
  url: string
  stop: () => Promise<void>
}

/** A folder that is gone once `remove` was called. */
export function temporaryFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'coffer-test-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) }
}

/** A release bundle as a self-hoster runs it: own secrets, own data folder, defaults for the rest. */
export async function runRelease(script: string, data: string): Promise<Running> {
  return startRelease({ script, data, bindings: await freshSecrets() })
}

/** `npm run dev` with a data folder and a port of its own. */
export async function runDev(data: string): Promise<Running & { said: () => string }> {
  const port = await freePort()
  const child = spawn(process.execPath, [inProject('scripts/dev.ts')], {
    cwd: inProject(),
    env: { ...process.env, PORT: String(port), COFFER_DATA: data },
  })
  let said = ''
  const ready = new Promise<void>((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      said += chunk.toString()
      if (said.includes('Stop it with')) {
        resolve()
      }
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('exit', (code) => reject(new Error(`dev ended with ${code}:\n${said}`)))
  })
  await ready
  return {
    url: `http://localhost:${port}`,
    said: () => said,
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Runs a script of the project to its end and gives what it printed. */
export async function runScript(
  path: string,
  args: string[] = [],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Promise<{ code: number | null; printed: string }> {
  const cwd = options.cwd ?? inProject()
  const child = spawn(process.execPath, [join(cwd, path), ...args], {
    cwd,
    env: { ...process.env, ...options.env },
  })
  let printed = ''
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, printed }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await once(server.close(), 'close')
  return port
}
