/**
 * `npm run test:all`: all tests, one stage after the other, the later ones even where an earlier one fails. The releases are built
 * once for all. `-- --check` also runs `npm run check`, beside the tests; `-- --reports FOLDER` also writes what each stage
 * found into that folder, as JSON.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { inProject } from './lib/project.ts'
import { type Program, runSideBySide } from './lib/side-by-side.ts'

const { reports, check = false } = parseArgs({
  options: { reports: { type: 'string' }, check: { type: 'boolean' } },
}).values

interface Stage {
  name: string
  args: string[]
  /** The programs that run beside it. */
  beside?: Program[]
  variables?: Record<string, string>
}

/** The releases are built by then: for workerd beside the first stage, for Node by the second one, which has a test of it. */
const BUILT = { COFFER_TEST_BUILT: '1' }

/** Together they run what `npm test`, `npm run test:system` and `npm run test:workerd` do. */
const STAGES: Stage[] = [
  {
    // The tests of the domain run once, counted, the long ones too: Vitest does not count in one run with what Node loads itself.
    name: 'domain',
    args: ['--mode', 'coverage', '--coverage'],
    beside: [['node', inProject('scripts/build-release.ts')]],
  },
  {
    name: 'test',
    args: ['--mode', 'test', '--project', '!domain'],
    beside: check ? [['node', '--run', 'check']] : [],
  },
  { name: 'system', args: ['--mode', 'system', '--project', '!domain'], variables: BUILT },
  { name: 'workerd', args: ['--mode', 'workerd'], variables: BUILT },
]

const failed: string[] = []
for (const { name, args, beside = [], variables = {} } of STAGES) {
  const report =
    reports === undefined
      ? []
      : [
          ...['--reporter=default', '--reporter=json'],
          `--outputFile.json=${join(reports, `${name}.json`)}`,
        ]
  if (!(await runSideBySide(['vitest', 'run', ...args, ...report], beside, variables))) {
    failed.push(name)
  }
}
console.log(failed.length === 0 ? 'All stages passed' : `These stages failed: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1
