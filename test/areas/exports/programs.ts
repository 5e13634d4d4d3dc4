import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Runs a program over a text; undefined where the machine does not have it. */
export function runOver(program: string, before: string[], text: string, after: string[] = []) {
  try {
    execFileSync('which', [program])
  } catch {
    return undefined
  }
  const folder = mkdtempSync(join(tmpdir(), 'exports-'))
  try {
    const file = join(folder, 'export')
    writeFileSync(file, text)
    return execFileSync(program, [...before, file, ...after], { encoding: 'utf8' })
  } finally {
    rmSync(folder, { recursive: true })
  }
}
