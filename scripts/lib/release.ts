import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { inProject, wrangler } from './project.ts'
import { applyMigrations } from './migrations.ts'
import { type Runtime, startRuntime, type WorkerOptions } from './runtime.ts'

/** The option that bundles a release without the code for the description of the interface, as `npm run deploy` does, too. */
const WITHOUT_DESCRIPTION =
  '--alias=@asteasolutions/zod-to-openapi:./scripts/lib/bundled-without-description.js'

const FOLDER = inProject('dist/release')
/** The files for browsers that a deployment uploads beside the Worker. Wrangler takes the folder as `--assets`. */
export const ASSETS = inProject('dist/public')

/** Bundles the release build, minified, exactly as a deployment would upload it. */
export function buildRelease(): string {
  const description = inProject('openapi.json')
  cpSync(description, join(ASSETS, 'openapi.json'))
  writeFileSync(join(ASSETS, '_headers'), '/openapi.json\n  X-Content-Type-Options: nosniff\n')
  wrangler([
    ...['deploy', '--dry-run', '--minify', '--env=', WITHOUT_DESCRIPTION],
    ...[`--outdir=${FOLDER}`, '--metafile', `--assets=${ASSETS}`],
  ])
  cpSync(description, join(FOLDER, 'openapi.json'))
  return readFileSync(join(FOLDER, 'index.js'), 'utf8')
}

interface Metafile {
  outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }>
}

/** Returns the size of each library in the release bundle, in KiB before compression. */
export function librariesKiB(): Map<string, number> {
  const { outputs } = JSON.parse(readFileSync(join(FOLDER, 'bundle-meta.json'), 'utf8')) as Metafile
  const libraries = new Map<string, number>()
  for (const { inputs } of Object.values(outputs)) {
    for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
      const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]
      if (name !== undefined) {
        libraries.set(name, (libraries.get(name) ?? 0) + bytesInOutput / 1024)
      }
    }
  }
  return libraries
}

export const gzipKiB = (script: string): number => gzipSync(script, { level: 9 }).length / 1024

/** Milliseconds of work before the first request, as `wrangler check startup` samples them. */
export function startupMs(): number {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-startup-'))
  try {
    const report = wrangler(
      [
        'check',
        'startup',
        `--args=--minify ${WITHOUT_DESCRIPTION}`,
        '--env=',
        `--outfile=${folder}/startup.cpuprofile`,
      ],
      { WRANGLER_LOG: 'log' },
    )
    return Number(/Active: ([\d.]+) ms/.exec(report)?.[1])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Runs a release bundle with all migrations applied. */
export async function startRelease(options: {
  script: string
  data: string
  bindings: Record<string, string>
  onLog?: (line: string) => void
  clockByHand?: boolean
  worker?: WorkerOptions
  inspector?: number
}): Promise<Runtime> {
  const runtime = await startRuntime(options)
  await applyMigrations(await runtime.miniflare.getD1Database('DB'))
  return runtime
}
