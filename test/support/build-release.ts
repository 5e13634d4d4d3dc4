import { cpSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { buildNodeRelease } from '../../scripts/lib/node-release.ts'
import { inProject, MIGRATIONS } from '../../scripts/lib/project.ts'
import { buildRelease, startRelease } from '../../scripts/lib/release.ts'
import { openDatabase } from '../../src/hosts/node/database.ts'
import { applyMigrations } from '../../src/hosts/node/migrations.ts'
import { temporaryFolder } from './running.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The bundle of the Worker, built once for all who start it. */
    release: string
    /** The path of the release for Node. */
    nodeRelease: string
    /** A copy of it far from the project and its packages, as an operator has it: the path of its folder. */
    releaseApart: string
    /** A file with all migrations applied, for services that nobody has used yet. */
    migratedDatabase: string
    /** The same for workerd: the data folder that one has left. Empty where none is asked. */
    migratedData: string
  }
}

/** Where Node keeps what it has compiled of a release, which many tests start anew. */
const COMPILED = inProject('dist/compiled')

/** @returns what removes the copy */
export async function setup(project: TestProject): Promise<() => void> {
  rmSync(COMPILED, { recursive: true, force: true })
  process.env['NODE_COMPILE_CACHE'] = COMPILED
  // esbuild makes this one in a process of its own, while this process waits for wrangler.
  const building = buildNodeRelease()
  const release = buildRelease()
  project.provide('release', release)
  const entry = await building
  project.provide('nodeRelease', entry)
  // One for all tests: Node keeps what it has compiled by the path of the file.
  const apart = temporaryFolder()
  const folder = join(apart.path, 'release')
  cpSync(dirname(entry), folder, { recursive: true })
  project.provide('releaseApart', folder)
  const migrated = join(apart.path, 'migrated.sqlite')
  const database = openDatabase(migrated)
  await applyMigrations(database, MIGRATIONS)
  database.close()
  project.provide('migratedDatabase', migrated)
  const data = join(apart.path, 'data')
  if (project.config.env['COFFER_HOST'] === 'workerd') {
    await (await startRelease({ script: release, data, bindings: {} })).stop()
  }
  project.provide('migratedData', data)
  return apart.remove
}
