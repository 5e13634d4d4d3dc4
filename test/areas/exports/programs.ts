import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'vitest'

/** Skips the rest of a test, and says why, where the machine does not have a program that it needs. */
export function needProgram({ skip }: Pick<TestContext, 'skip'>, program: string): void {
  skip(spawnSync('which', [program]).status !== 0, `${program} is not installed`)
}

/** Runs a program over a text, and gives what it printed. */
export function runOver(program: string, before: string[], text: string, after: string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'exports-'))
  try {
    const file = join(folder, 'export')
    writeFileSync(file, text)
    return execFileSync(program, [...before, file, ...after], { encoding: 'utf8' })
  } finally {
    rmSync(folder, { recursive: true })
  }
}
