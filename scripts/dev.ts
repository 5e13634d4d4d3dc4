/**
 * `npm run dev`: the development build on http://localhost:8888, ready to be used: secrets, database and demo data are
 * made when they are missing, and a change of a source starts it anew.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { loadEnvFile } from './lib/env-file.ts'
import { inProject } from './lib/project.ts'

/** The time that sources must rest: an editor writes several files at once. */
const REST_MS = 100

let service: ChildProcess | undefined
let isStopping = false
let isChanged = false
let rest: NodeJS.Timeout | undefined

loadEnvFile()
start()
for (const folder of ['src', 'drizzle', 'migrations']) {
  watch(inProject(folder), { recursive: true }, () => {
    clearTimeout(rest)
    rest = setTimeout(startAnew, REST_MS)
  })
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    isStopping = true
    service?.kill('SIGTERM')
  })
}

function start(): void {
  const isFirst = !isChanged
  isChanged = false
  const args = ['--disable-warning=ExperimentalWarning', inProject('scripts/lib/dev-service.ts')]
  service = spawn(process.execPath, args, { stdio: 'inherit' })
  service.once('exit', (code) => {
    service = undefined
    if (isStopping || (isFirst && !isChanged)) {
      process.exit(code ?? 1)
    }
    if (isChanged) {
      start()
    } else {
      console.error('The service ended. It starts again when a source changes.')
    }
  })
}

function startAnew(): void {
  isChanged = true
  if (service) {
    service.kill('SIGTERM')
  } else {
    start()
  }
}
