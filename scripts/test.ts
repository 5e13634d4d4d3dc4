/** `npm test`: all tests, with the type check beside them. Arguments go to Vitest. */
import { writeClientTypes } from './lib/client-types.ts'
import { wrangler } from './lib/project.ts'
import { type Program, runSideBySide } from './lib/side-by-side.ts'

const args = process.argv.slice(2)

/** A run of its own, with its own reports. */
const apart = (name: string, ...options: string[]): Program => [
  'vitest',
  'run',
  ...options,
  ...args.map((arg) => arg.replace(/^(--outputFile.*)\.(\w+)$/, `$1-${name}.$2`)),
]

// All other tests would count what they cover, too, and take twice as long.
const domain = apart(
  'domain',
  ...['--project', 'domain', '--coverage', '--coverage.reporter=json-summary'],
)
// One worker: each loads the whole service into a workerd of its own, which takes longer than its tests.
const workerd = apart('workerd', '--project', 'workers', '--project', 'volume', '--maxWorkers=1')

wrangler(['types', '--strict-vars=false'])
await writeClientTypes()
const isGood = await runSideBySide(
  [
    'vitest',
    'run',
    ...['domain', 'workers', 'volume'].map((name) => `--project=!${name}`),
    ...args,
  ],
  // It checks again only what has changed since it last did.
  [workerd, domain, ['tsc']],
)
process.exitCode = isGood ? 0 : 1
