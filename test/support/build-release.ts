import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { buildNodeRelease, ensureNodeRelease } from '../../scripts/lib/node-release.ts'
import { inProject, MIGRATIONS } from '../../scripts/lib/project.ts'
import { buildRelease, startRelease } from '../../scripts/lib/release.ts'
import { type WorkerOptions, workerOptionsOf } from '../../scripts/lib/runtime.ts'
import { openDatabase } from '../../src/hosts/node/database.ts'
import { applyMigrations } from '../../src/hosts/node/migrations.ts'
import { temporaryFolder } from './running.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The bundle of the Worker, built once for all who start it. */
    release: string
    /** What `wrangler.toml` says of it. */
    workerOptions: WorkerOptions
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

/** Those that `npm run test:all` has built already, for all stages, or new ones. */
async function releases(): Promise<{ release: string; entry: string }> {
  const worker = inProject('dist/release/index.js')
  if (process.env['COFFER_TEST_BUILT'] === '1' && existsSync(worker)) {
    // As `npm start` does, which a test runs: it would build an older one anew while others use it.
    return { release: readFileSync(worker, 'utf8'), entry: await ensureNodeRelease() }
  }
  // esbuild makes this one in a process of its own, while this process waits for wrangler.
  const building = buildNodeRelease()
  return { release: buildRelease(), entry: await building }
}

/** @returns what removes the copy */
export async function setup(project: TestProject): Promise<() => void> {
  rmSync(COMPILED, { recursive: true, force: true })
  process.env['NODE_COMPILE_CACHE'] = COMPILED
  const { release, entry } = await releases()
  project.provide('release', release)
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
    // As JSON, like those who get it.
    const worker = JSON.parse(JSON.stringify(await workerOptionsOf())) as WorkerOptions
    project.provide('workerOptions', worker)
    await (await startRelease({ script: release, data, bindings: {}, worker })).stop()
  }
  project.provide('migratedData', data)
  return apart.remove
}
