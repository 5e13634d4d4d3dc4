/** `npm test`: all tests, with type check and lint beside them. Arguments go to Vitest. */
import { writeClientTypes } from './lib/client-types.ts'
import { wrangler } from './lib/project.ts'
import { type Program, runSideBySide } from './lib/side-by-side.ts'

const args = process.argv.slice(2)
// A run of its own, as all other tests would count what they cover, too, and take twice as long. It has its own reports.
const domain: Program = [
  'vitest',
  ...['run', '--project', 'domain', '--coverage', '--coverage.reporter=json-summary'],
  ...args.map((arg) => arg.replace(/^(--outputFile.*)\.(\w+)$/, '$1-domain.$2')),
]

wrangler(['types', '--strict-vars=false'])
await writeClientTypes()
const isGood = await runSideBySide(
  ['vitest', 'run', '--project', '!domain', ...args],
  [domain, ['oxlint', '--type-check']],
)
process.exitCode = isGood ? 0 : 1
