import { readFileSync } from 'node:fs'
import { registerHooks, type ResolveFnOutput } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import '../../scripts/lib/dev-globals.ts'

// How Node loads the service and its tests.

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

/** The formats of the scripts of packages by their folder, where all of one ending have the same. */
const formats = new Map<string, string>()

const folderAndEnding = (url: string) => url.replace(/[^/]*(\.\w+)$/, '$1')

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
    if (parentURL.includes('/node_modules/')) {
      if (/^\..*\.[cm]?js$/.test(name)) {
        const { href: url } = new URL(name, parentURL)
        const format = formats.get(folderAndEnding(url))
        if (format !== undefined) {
          return { url, format, shortCircuit: true }
        }
        const found = next(name, context)
        if (found.url === url && found.format) {
          formats.set(folderAndEnding(url), found.format)
        }
        return found
      }
      return next(name, context)
    }
    if (name.startsWith('.')) {
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
