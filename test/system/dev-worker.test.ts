import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { freePort } from '../../scripts/lib/free-port.ts'
import { inProject } from '../../scripts/lib/project.ts'
import { temporaryFolder } from '../support/running.ts'

// The service as people of the platform start it, in a copy of the project that has neither secrets nor data.

const copy = temporaryFolder()
for (const entry of ['src', 'drizzle', 'migrations', 'scripts', 'package.json', 'wrangler.toml']) {
  cpSync(inProject(entry), join(copy.path, entry), { recursive: true })
}
cpSync(inProject('openapi.json'), join(copy.path, 'openapi.json'))
symlinkSync(inProject('node_modules'), join(copy.path, 'node_modules'))

const started: ChildProcess[] = []
afterAll(async () => {
  await Promise.all(started.map(stop))
  copy.remove()
})

function start(args: string[], port: number): { child: ChildProcess; said: () => string } {
  const env = { ...process.env, PORT: String(port), WRANGLER_LOG: 'error', COFFER_DATA: '' }
  const child = spawn(process.execPath, args, { cwd: copy.path, env })
  started.push(child)
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  return { child, said: () => said }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit')
    child.kill('SIGINT')
    await ended
  }
}

/** Asks until somebody answers. */
async function answerOf(url: string, child: ChildProcess): Promise<Response> {
  for (;;) {
    const response = await fetch(url).catch(() => undefined)
    if (response) {
      return response
    }
    if (child.exitCode !== null) {
      throw new Error(`it ended with ${child.exitCode}`)
    }
    await pause(100)
  }
}

it('tells whoever starts wrangler without secrets what to start instead', async () => {
  const port = await freePort()
  const wrangler = inProject('node_modules/wrangler/bin/wrangler.js')
  const options = ['--port', String(port), '--inspector-port', '0']
  const { child } = start([wrangler, 'dev', '--env', 'dev', ...options], port)
  const answer = await answerOf(`http://localhost:${port}/account`, child)
  expect(answer.status).toBe(500)
  expect(await answer.json()).toMatchObject({
    code: 'service.misconfigured',
    error: 'The service has no secrets. Start it with `npm run dev:worker`, which makes them.',
  })
  await stop(child)
})

interface Answer {
  accessToken: string
  accounts: { name: string }[]
  id: string
  state: string
  jobId: string
}

/** Starts `npm run dev:worker`, and gives what somebody who is signed in there can ask. */
async function developed() {
  const port = await freePort()
  const { child, said } = start([join(copy.path, 'scripts/dev-worker.ts')], port)
  while (!said().includes('Stop it with')) {
    if (child.exitCode !== null) {
      throw new Error(`it ended:\n${said()}`)
    }
    await pause(100)
  }
  const url = `http://localhost:${port}`
  const [, email, password] = /First member: (\S+) \/ (.+)/.exec(said()) ?? []
  const login = await fetch(`${url}/auth/v2/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const { accessToken } = (await login.json()) as Answer
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(url + path, {
      ...init,
      headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
    })
  const answer = async (path: string, init?: RequestInit) =>
    (await (await ask(path, init)).json()) as Answer
  return { url, ask, answer, stop: () => stop(child) }
}

it('keeps books, files and tasks, and finds them again when it was stopped', async () => {
  const first = await developed()
  expect(statSync(join(copy.path, '.dev.vars')).mode & 0o777).toBe(0o600)
  expect((await first.answer('/account')).accounts.map(({ name }) => name)).toContain('Car loan')
  expect(await (await fetch(first.url)).text()).toContain('development build')
  expect((await fetch(`${first.url}/openapi.json`)).status).toBe(200)
  const style = await fetch(`${first.url}/swagger/assets/swagger-ui-dist/swagger-ui.css`)
  expect(style.headers.get('Content-Type')).toMatch('text/css')
  const bytes = '%PDF-1.7 and so on'
  const file = await first.answer('/attachment?fileName=bill.pdf', { method: 'POST', body: bytes })
  const backup = await first.answer('/backup', { method: 'POST', body: '{}' })
  await expect
    .poll(async () => (await first.answer(`/backup/${backup.id}`)).state, { timeout: 60_000 })
    .toBe('ready')
  await first.stop()

  const second = await developed()
  const download = await second.ask(`/attachment/${file.id}/download`)
  expect(await download.text()).toBe(bytes)
  expect((await second.answer(`/backup/${backup.id}`)).state).toBe('ready')
  await second.stop()
})
