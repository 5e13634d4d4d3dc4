import { cpSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { buildNodeRelease } from '../../scripts/lib/node-release.ts'
import { inProject } from '../../scripts/lib/project.ts'
import { buildRelease } from '../../scripts/lib/release.ts'
import { temporaryFolder } from './running.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The bundle of the Worker, built once for all who start it. */
    release: string
    /** The path of the release for Node. */
    nodeRelease: string
    /** A copy of it far from the project and its packages, as an operator has it: the path of its folder. */
    releaseApart: string
  }
}

/** Where Node keeps what it has compiled of a release, which many tests start anew. */
const COMPILED = inProject('dist/compiled')

/** @returns what removes the copy */
export async function setup(project: TestProject): Promise<() => void> {
  rmSync(COMPILED, { recursive: true, force: true })
  process.env['NODE_COMPILE_CACHE'] = COMPILED
  project.provide('release', buildRelease())
  const entry = await buildNodeRelease()
  project.provide('nodeRelease', entry)
  // One for all tests: Node keeps what it has compiled by the path of the file.
  const apart = temporaryFolder()
  const folder = join(apart.path, 'release')
  cpSync(dirname(entry), folder, { recursive: true })
  project.provide('releaseApart', folder)
  return apart.remove
}
