/**
 * `npm run try -- tags`: the tests of an area, those elsewhere that use it, and the sweeps of its operations, with type
 * check and lint of its own files beside them. Many areas can be named.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { inProject, wrangler } from './lib/project.ts'
import { runSideBySide } from './lib/side-by-side.ts'

const areas = process.argv.slice(2)
const unknown = areas.filter((area) => !existsSync(inProject('src/areas', area)))
if (areas.length === 0 || unknown.length > 0) {
  const known = readdirSync(inProject('src/areas')).filter((name) => !name.endsWith('.ts'))
  console.error(`Name areas to try: ${known.join(', ')}`)
  process.exit(1)
}

const filesIn = (folder: string): string[] =>
  existsSync(inProject(folder))
    ? readdirSync(inProject(folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => `${folder}/${file}`)
    : []
const textOf = (file: string) => readFileSync(inProject(file), 'utf8')

const own = areas.flatMap((area) => [`src/areas/${area}`, `test/areas/${area}`]).flatMap(filesIn)
const operations = own.flatMap((file) =>
  [...textOf(file).matchAll(/^ +operationId: '(\w+)'/gm)].map(([, id = '']) => id),
)
const tests = filesIn('test/areas')
  .filter((file) => file.endsWith('.test.ts'))
  .filter(
    (file) => own.includes(file) || areas.some((area) => textOf(file).includes(`areas/${area}/`)),
  )
const sweeps = operations.length > 0 ? ['test/sweeps'] : []

// The linter asks the compiler, which needs the types of the bindings; a fresh checkout has none.
if (!existsSync(inProject('worker-configuration.d.ts'))) {
  wrangler(['types', '--strict-vars=false'])
}
const isGood = await runSideBySide(
  ['vitest', 'run', '--project', 'areas', ...tests, ...sweeps],
  [['oxlint', '--type-check', ...own]],
  { COFFER_ONLY: operations.join(',') },
)
process.exitCode = isGood ? 0 : 1
