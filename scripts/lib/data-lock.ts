import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Only one process at a time may have a data folder open. Gives back what releases it. */
export function lockData(data: string): () => void {
  mkdirSync(data, { recursive: true })
  const file = join(data, 'lock')
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
  } catch {
    const holder = Number(readFileSync(file, 'utf8'))
    if (isRunning(holder)) {
      console.error(`${data} is in use by process ${holder}; stop that one first.`)
      process.exit(1)
    }
    writeFileSync(file, String(process.pid))
  }
  return () => rmSync(file, { force: true })
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
