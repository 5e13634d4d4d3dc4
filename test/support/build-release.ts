import { rmSync } from 'node:fs'
import type { TestProject } from 'vitest/node'
import { buildNodeRelease } from '../../scripts/lib/node-release.ts'
import { inProject } from '../../scripts/lib/project.ts'
import { buildRelease } from '../../scripts/lib/release.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The bundle of the Worker, built once for all who start it. */
    release: string
    /** The path of the release for Node. */
    nodeRelease: string
  }
}

/** Where Node keeps what it has compiled of a release, which many tests start anew. */
const COMPILED = inProject('dist/compiled')

export async function setup(project: TestProject): Promise<void> {
  rmSync(COMPILED, { recursive: true, force: true })
  process.env['NODE_COMPILE_CACHE'] = COMPILED
  project.provide('release', buildRelease())
  project.provide('nodeRelease', await buildNodeRelease())
}
