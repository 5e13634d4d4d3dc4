/** `npm test`: all tests. Arguments go to Vitest. */
import { type Program, runSideBySide } from './lib/side-by-side.ts'

const args = process.argv.slice(2)

/** A run of its own, with its own reports: all other tests would count what they cover, too, and take twice as long. */
const domain: Program = [
  ...(['vitest', 'run', '--mode', 'domain', '--coverage'] as const),
  '--coverage.reporter=json-summary',
  ...args.map((arg) => arg.replace(/^(--outputFile.*)\.(\w+)$/, '$1-domain.$2')),
]
const isGood = await runSideBySide(['vitest', 'run', '--project=!domain', ...args], [domain])
process.exitCode = isGood ? 0 : 1
