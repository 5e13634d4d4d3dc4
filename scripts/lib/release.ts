import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { inProject, wrangler } from './project.ts'
import { applyMigrations } from './migrations.ts'
import { type Runtime, startRuntime } from './runtime.ts'

const FOLDER = inProject('dist/release')

/** Bundles the release build, minified, exactly as a deployment would upload it. */
export function buildRelease(): string {
  wrangler(['deploy', '--dry-run', '--minify', '--env=', `--outdir=${FOLDER}`])
  return readFileSync(join(FOLDER, 'index.js'), 'utf8')
}

export const gzipKiB = (script: string): number => gzipSync(script, { level: 9 }).length / 1024

/** Milliseconds of work before the first request, as `wrangler check startup` samples them. */
export function startupMs(): number {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-startup-'))
  try {
    const report = wrangler(
      ['check', 'startup', '--args=--minify', '--env=', `--outfile=${folder}/startup.cpuprofile`],
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
}): Promise<Runtime> {
  const runtime = await startRuntime(options)
  await applyMigrations(await runtime.miniflare.getD1Database('DB'))
  return runtime
}
