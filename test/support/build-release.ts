import type { TestProject } from 'vitest/node'
import { buildRelease } from '../../scripts/lib/release.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The release bundle, built once for all who start it. */
    release: string
  }
}

export function setup(project: TestProject): void {
  project.provide('release', buildRelease())
}
