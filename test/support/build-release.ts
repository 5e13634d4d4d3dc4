import type { TestProject } from 'vitest/node'
import { buildNodeRelease } from '../../scripts/lib/node-release.ts'
import { buildRelease } from '../../scripts/lib/release.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The bundle of the Worker, built once for all who start it. */
    release: string
    /** The path of the release for Node. */
    nodeRelease: string
  }
}

export async function setup(project: TestProject): Promise<void> {
  project.provide('release', buildRelease())
  project.provide('nodeRelease', await buildNodeRelease())
}
