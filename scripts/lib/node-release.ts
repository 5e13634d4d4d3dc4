import { cpSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { inProject, MIGRATIONS } from './project.ts'

/**
 * The release that `npm start` runs: a file that checks the version of Node, one with everything in it, and the
 * migrations beside it.
 */
export const NODE_RELEASE = inProject('dist/node')
const ENTRY = join(NODE_RELEASE, 'main.js')

/** Bundles the release for Node. Like the Worker's, it serves no description, which is a file beside it, and no demo data. */
export async function buildNodeRelease(): Promise<string> {
  rmSync(NODE_RELEASE, { recursive: true, force: true })
  await bundleForNode('src/hosts/node/main.ts', join(NODE_RELEASE, 'service.js'))
  await bundleForNode('src/hosts/node/start.ts', ENTRY)
  // The folder is all that a container has.
  writeFileSync(join(NODE_RELEASE, 'package.json'), '{ "type": "module" }\n')
  cpSync(inProject('openapi.json'), join(NODE_RELEASE, 'openapi.json'))
  cpSync(MIGRATIONS, join(NODE_RELEASE, 'migrations'), {
    recursive: true,
    filter: (path) => !path.includes('/meta'),
  })
  return ENTRY
}

/** Makes one file of a module and all that it imports, as a release has it. */
export const bundleForNode = (entry: string, outfile: string): Promise<unknown> =>
  build({
    entryPoints: [inProject(entry)],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    minifySyntax: true,
    sourcemap: 'linked',
    define: { __DEV_BUILD__: 'false' },
    alias: {
      zod: inProject('scripts/lib/bundled-zod.js'),
      '@asteasolutions/zod-to-openapi': inProject('scripts/lib/bundled-without-description.js'),
    },
    // Packages of CommonJS need `require`.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  })

/** The release for Node; built when there is none, or when a source is newer. */
export async function ensureNodeRelease(): Promise<string> {
  if (existsSync(ENTRY) && newestSource() <= statSync(ENTRY).mtimeMs) {
    return ENTRY
  }
  return buildNodeRelease()
}

function newestSource(): number {
  const files = ['src', 'drizzle', 'migrations', 'scripts/lib'].flatMap((folder) =>
    readdirSync(inProject(folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      inProject(folder, file),
    ),
  )
  const others = ['package-lock.json', 'openapi.json'].map((file) => inProject(file))
  const times = [...files, ...others].map((file) => statSync(file).mtimeMs)
  return Math.max(...times)
}
