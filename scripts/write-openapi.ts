/** `npm run openapi`: writes openapi.json from the code; with `--check` only says whether it differs. */
import './lib/workers-globals.ts'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createApp } from '../src/app.ts'
import { describe } from '../src/http/openapi.ts'
import { inProject } from './lib/project.ts'

const FILE = inProject('openapi.json')
const text = `${JSON.stringify(inOrder(describe(createApp())), null, 2)}\n`

if (!process.argv.includes('--check')) {
  writeFileSync(FILE, text)
} else if (!existsSync(FILE) || readFileSync(FILE, 'utf8') !== text) {
  console.error('openapi.json is not what the code describes: npm run openapi')
  process.exit(1)
}

/** Paths and components by name, so that a diff shows what changed and not where it was declared. */
function inOrder(document: object): object {
  const { paths, components, ...rest } = document as Record<'paths' | 'components', object>
  const groups = Object.entries(components).map(([kind, entries]) => [kind, byName(entries)])
  return { ...rest, paths: byName(paths), components: byName(Object.fromEntries(groups)) }
}

function byName(entries: object): object {
  return Object.fromEntries(Object.entries(entries).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
