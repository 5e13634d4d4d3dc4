/**
 * `npm run try -- tags`: the tests of an area, those elsewhere that use it, and the sweeps of its operations, with type
 * check and lint of its own files beside them. Many areas can be named.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { CLIENT_TYPES, writeClientTypes } from './lib/client-types.ts'
import { inProject, wrangler } from './lib/project.ts'
import { runSideBySide } from './lib/side-by-side.ts'

const areas = process.argv.slice(2)
const folders = readdirSync(inProject('src/areas'), { withFileTypes: true })
  .filter((district) => district.isDirectory())
  .flatMap(({ name }) => readdirSync(inProject('src/areas', name)).map((area) => `${name}/${area}`))
  .filter((folder) => !folder.endsWith('.ts'))
const folderOf = (area: string) => folders.find((folder) => folder.endsWith(`/${area}`)) ?? ''
if (areas.length === 0 || areas.some((area) => folderOf(area) === '')) {
  console.error(`Name areas to try: ${folders.map((one) => one.replace(/.*\//, '')).join(', ')}`)
  process.exit(1)
}

const filesIn = (folder: string): string[] =>
  existsSync(inProject(folder))
    ? readdirSync(inProject(folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => `${folder}/${file}`)
    : []
const textOf = (file: string) => readFileSync(inProject(file), 'utf8')

const own = areas
  .flatMap((area) => [`src/areas/${folderOf(area)}`, `test/areas/${area}`])
  .flatMap(filesIn)
const operations = own.flatMap((file) =>
  [...textOf(file).matchAll(/^export const (\w+) = operation\(/gm)].map(([, id = '']) => id),
)
const tests = filesIn('test/areas')
  .filter((file) => file.endsWith('.test.ts'))
  .filter(
    (file) =>
      own.includes(file) || areas.some((area) => textOf(file).includes(`areas/${folderOf(area)}/`)),
  )
const sweeps = operations.length > 0 ? ['test/sweeps'] : []

// The linter asks the compiler, which needs the types of bindings and clients; a fresh checkout has none.
if (!existsSync(inProject('worker-configuration.d.ts'))) {
  wrangler(['types', '--strict-vars=false'])
}
if (!existsSync(CLIENT_TYPES)) {
  await writeClientTypes()
}
const isGood = await runSideBySide(
  ['vitest', 'run', '--project', 'node', ...tests, ...sweeps],
  [['oxlint', '--type-check', ...own]],
  { COFFER_ONLY: operations.join(',') },
)
process.exitCode = isGood ? 0 : 1
