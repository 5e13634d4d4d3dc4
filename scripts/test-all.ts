/**
 * `npm run test:all`: all tests, one stage after the other, the later ones even where an earlier one fails. `-- --reports FOLDER`
 * also writes what each stage found into that folder, as JSON.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runSideBySide } from './lib/side-by-side.ts'

/** As the commands that are named like them: `npm test`, `npm run test:system`, `npm run test:workerd`. */
const STAGES = ['test', 'system', 'workerd']

const { reports } = parseArgs({ options: { reports: { type: 'string' } } }).values

const failed: string[] = []
for (const stage of STAGES) {
  const report =
    reports === undefined
      ? []
      : [
          ...['--reporter=default', '--reporter=json'],
          `--outputFile.json=${join(reports, `${stage}.json`)}`,
        ]
  if (!(await runSideBySide(['vitest', 'run', '--mode', stage, ...report], []))) {
    failed.push(stage)
  }
}
console.log(failed.length === 0 ? 'All stages passed' : `These stages failed: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1
