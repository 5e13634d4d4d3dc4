import type { TestProject } from 'vitest/node'
import { buildNodeRelease } from '../../scripts/lib/node-release.ts'

/** The release for Node alone, without those of the Worker (build-release.ts). */
export async function setup(project: TestProject): Promise<void> {
  project.provide('nodeRelease', await buildNodeRelease())
}
