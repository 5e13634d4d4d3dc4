import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inProject } from '../../scripts/lib/project.ts'

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

export interface NodeProcess extends Running {
  child: ChildProcess
  /** What it has printed so far. */
  said: () => string
}

/** The release for Node as a process of its own, on a free port unless `PORT` names one. */
export function runNode(
  entry: string,
  data: string,
  variables: Record<string, string> = {},
): Promise<NodeProcess> {
  const args = ['--disable-warning=ExperimentalWarning', entry]
  const env = { ...process.env, PORT: '0', COFFER_DATA: data, ...variables }
  return started(spawn(process.execPath, args, { env }), /Coffer listens on (\S+);/)
}

/** `npm run dev` with a data folder and a port of its own. */
export async function runDev(data: string): Promise<NodeProcess> {
  const env = { ...process.env, PORT: '0', COFFER_DATA: data }
  const child = spawn(process.execPath, [inProject('scripts/dev.ts')], { cwd: inProject(), env })
  return started(child, /Service\s+(\S+)[^]*Stop it with/)
}

/** Waits until a process says where it listens. */
async function started(
  child: ChildProcessWithoutNullStreams,
  listening: RegExp,
): Promise<NodeProcess> {
  let said = ''
  const url = await new Promise<string>((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      said += chunk.toString()
      const [, found] = listening.exec(said) ?? []
      if (found !== undefined) {
        resolve(found)
      }
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('exit', (code) => reject(new Error(`it ended with ${code}:\n${said}`)))
  })
  return {
    url,
    child,
    said: () => said,
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit')
        child.kill('SIGTERM')
        await ended
      }
    },
  }
}

/** Runs a script of the project to its end and gives what it printed. */
export function runScript(
  path: string,
  args: string[] = [],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Promise<Ended> {
  const cwd = options.cwd ?? inProject()
  const flags = ['--disable-warning=ExperimentalWarning']
  const env = { ...process.env, ...options.env }
  return ended(spawn(process.execPath, [...flags, join(cwd, path), ...args], { cwd, env }))
}

/** Runs a program of the project's packages to its end, which calls nobody. */
export function runProgram(name: string, args: string[]): Promise<Ended> {
  const silent = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  return ended(
    spawn(inProject('node_modules/.bin', name), args, {
      cwd: inProject(),
      env: { ...process.env, ...silent },
    }),
  )
}

interface Ended {
  code: number | null
  printed: string
}

async function ended(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  let printed = ''
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, printed }
}
