/** `npm test`: all tests, with type check and lint beside them. Arguments go to Vitest. */
import { writeClientTypes } from './lib/client-types.ts'
import { wrangler } from './lib/project.ts'
import { runSideBySide } from './lib/side-by-side.ts'

wrangler(['types', '--strict-vars=false'])
await writeClientTypes()
const coverage = ['--coverage', '--coverage.reporter=json-summary']
const isGood = await runSideBySide(
  ['vitest', 'run', ...coverage, ...process.argv.slice(2)],
  [['tsc'], ['oxlint']],
)
process.exitCode = isGood ? 0 : 1
