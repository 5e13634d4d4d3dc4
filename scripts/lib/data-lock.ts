import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** From here to its end only this process may have the data folder open. */
export function lockData(data: string): void {
  mkdirSync(data, { recursive: true })
  const file = join(data, 'lock')
  const holder = existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined
  if (holder === process.pid) {
    return
  }
  if (holder !== undefined && isRunning(holder)) {
    console.error(`${data} is in use by process ${holder}; stop that one first.`)
    process.exit(1)
  }
  rmSync(file, { force: true })
  writeFileSync(file, String(process.pid), { flag: 'wx' })
  process.once('exit', () => rmSync(file, { force: true }))
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
