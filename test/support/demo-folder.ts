import type { TestProject } from 'vitest/node'
import { temporaryFolder } from './running.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder in which the demo data is made once for all who want it (demo-data.ts). */
    demoFolder: string
  }
}

/** Projects tell each other by this variable which folder that is. */
const NAME = 'COFFER_TEST_DEMO'

/** @returns what removes the folder, where this project has made it */
export function setup(project: TestProject): (() => void) | undefined {
  const made = process.env[NAME] === undefined ? temporaryFolder() : undefined
  const folder = (process.env[NAME] ??= made?.path ?? '')
  project.provide('demoFolder', folder)
  return made?.remove
}
