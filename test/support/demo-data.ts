import { cpSync, existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { inject } from 'vitest'
import { ensureDemoData } from '../../scripts/lib/demo-data.ts'

/** Puts the demo data into a data folder. It is made once in a run, which takes seconds, and copied from then on. */
export async function copyDemoData(data: string): Promise<void> {
  const folder = inject('demoFolder')
  const [original, made, claim] = [
    join(folder, 'data'),
    join(folder, 'made'),
    join(folder, 'claim'),
  ]
  while (!existsSync(made)) {
    if (isClaimed(claim)) {
      await pause(50)
    } else {
      try {
        await ensureDemoData(original)
        writeFileSync(made, '')
      } finally {
        rmdirSync(claim)
      }
    }
  }
  cpSync(original, data, { recursive: true })
}

/** Claims to make it, unless somebody does. */
function isClaimed(claim: string): boolean {
  try {
    mkdirSync(claim)
    return false
  } catch {
    return true
  }
}
