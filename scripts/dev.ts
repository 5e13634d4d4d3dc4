/**
 * `npm run dev`: the service with hot reload on http://localhost:8888, ready to be used: secrets, Swagger
 * UI, database and demo data are made when they are missing.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { lockData } from './lib/data-lock.ts'
import { demoLogins, ensureDemoData } from './lib/demo-data.ts'
import { ASSETS, dataFolder, inProject, WRANGLER } from './lib/project.ts'

const port = Number(process.env['PORT'] ?? 8888)
const url = `http://localhost:${port}`
const isOwnLog = (line: string) => line.startsWith('{"level":') && !line.includes('"getHealth"')
const START_MS = 60_000
const STOP_MS = 5_000

let server: ChildProcess | undefined
let isStopping = false

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void stop(0))
}
try {
  await requireFreePort()
  lockData(dataFolder())
  copySwaggerUi()
  await ensureDemoData()
  server = await serve()
  greet()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  await stop(1)
}

async function requireFreePort(): Promise<void> {
  const probe = createServer()
  try {
    await once(probe.listen(port, '127.0.0.1'), 'listening')
  } catch (error) {
    const advice = `Port ${port} is taken. Choose another one: PORT=${port + 1} npm run dev`
    throw new Error(advice, { cause: error })
  }
  await once(probe.close(), 'close')
}

/** The service serves its own Swagger UI; no browser has to reach a public network. */
function copySwaggerUi(): void {
  const target = join(ASSETS, 'swagger/assets/swagger-ui-dist')
  mkdirSync(target, { recursive: true })
  for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
    copyFileSync(inProject('node_modules/swagger-ui-dist', file), join(target, file))
  }
}

/** Starts wrangler, in a process group of its own so that Ctrl-C reaches it through `stop` alone. */
async function serve(): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    [
      WRANGLER,
      'dev',
      '--env=dev',
      '--ip=127.0.0.1',
      `--port=${port}`,
      '--inspector-port=0',
      `--persist-to=${dataFolder()}`,
      '--show-interactive-dev-session=false',
    ],
    {
      cwd: inProject(),
      detached: true,
      env: { ...process.env, WRANGLER_LOG: 'log' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  server = child
  const said: string[] = []
  let isReady = false
  const relay = (line: string) => {
    if (isReady) {
      console.log(line)
    } else {
      said.push(line)
    }
  }
  // Of what wrangler says, errors and the service's own log are worth a newcomer's while.
  createInterface(child.stdout).on('line', (line) => isOwnLog(line) && relay(line))
  createInterface(child.stderr).on('line', relay)
  child.once('exit', (code) => {
    if (!isReady) {
      console.error(said.join('\n'))
    }
    if (!isStopping) {
      void stop(code ?? 1)
    }
  })
  for (const deadline = Date.now() + START_MS; !(await answers()); await pause(100)) {
    if (Date.now() > deadline) {
      throw new Error(`The service did not start:\n${said.join('\n')}`)
    }
  }
  isReady = true
  return child
}

async function answers(): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`)).ok
  } catch {
    return false
  }
}

function greet(): void {
  console.log(`
Coffer is running.

  Service      ${url}
  Swagger UI   ${url}/swagger/index.html
${demoLogins.map(({ email, password, about }) => `\n  ${about}: ${email} / ${password}`).join('')}

Stop it with Ctrl-C.
`)
}

async function stop(code: number): Promise<never> {
  isStopping = true
  if (server?.pid !== undefined && server.exitCode === null) {
    const ended = once(server, 'exit')
    process.kill(-server.pid, 'SIGTERM')
    await Promise.race([ended, pause(STOP_MS)])
    killGroup(server.pid)
  }
  process.exit(code)
}

/** What is left of the group, if anything is. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Nothing is.
  }
}
