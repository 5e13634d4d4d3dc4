import { readFileSync } from 'node:fs'
import { registerHooks, type ResolveFnOutput } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import '../../scripts/lib/dev-globals.ts'

// How Node loads the service and its tests: each worker imports this file first.

/** Files by the modules whose place they take: only workerd has those. */
const inPlaceOf = JSON.parse(process.env['COFFER_TEST_MODULES'] ?? '{}') as Record<string, string>

/** A file of the project. Told its format, Node does not look for the package of each of two thousand. */
const ofProject = (url: string): ResolveFnOutput => ({
  url,
  format: 'module-typescript',
  shortCircuit: true,
})

/** Modules of packages by their names, which mean the same in all files of the project. */
const packages = new Map<string, ResolveFnOutput>()

registerHooks({
  resolve: (name, context, next) => {
    const file = inPlaceOf[name]
    if (file !== undefined) {
      return ofProject(pathToFileURL(file).href)
    }
    const { parentURL = '' } = context
    if (name.startsWith('.') && name.endsWith('.ts')) {
      return ofProject(new URL(name, parentURL).href)
    }
    if (name.startsWith('.') || parentURL.includes('/node_modules/')) {
      return next(name, context)
    }
    const found = packages.get(name) ?? { ...next(name, context), shortCircuit: true }
    packages.set(name, found)
    return found
  },
  load: (url, context, next) =>
    url.endsWith('?raw')
      ? {
          format: 'module',
          source: `export default ${JSON.stringify(readFileSync(fileURLToPath(url), 'utf8'))}`,
          shortCircuit: true,
        }
      : next(url, context),
})
