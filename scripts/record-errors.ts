/**
 * `npm run errors`: runs the tests of all operations, or of the folders that are named, and declares for each operation
 * the errors that they saw; with `--check` only says which declared errors none of them saw.
 */
import { declareSeen, newRecord, undescribed, unseen } from './lib/error-codes.ts'
import { runSideBySide } from './lib/side-by-side.ts'

const given = process.argv.slice(2).filter((one) => one !== '--check')
const isCheck = process.argv.includes('--check')
const missing = undescribed()
if (missing.length > 0) {
  // Tests hold errors against openapi.json: of what is not there, they would record none.
  console.error(
    `openapi.json lacks ${missing.join(', ')}: npm run openapi first. Nothing was written.`,
  )
  process.exit(1)
}
const file = newRecord()
const isGood = await runSideBySide(['vitest', 'run', '--project', 'node', ...given], [], {
  COFFER_CODES: file,
  // An error that is not declared yet must not stop the test that sees it.
  COFFER_CODES_RECORD: isCheck ? '0' : '1',
})
if (!isGood) {
  console.error('Tests failed: nothing was written.')
  process.exitCode = 1
} else if (isCheck) {
  const idle = unseen(file)
  console.log(['Declared, and seen by no test:', ...idle].join('\n  '))
  process.exitCode = idle.length === 0 ? 0 : 1
} else {
  declareSeen(file)
  console.log('src/http/description/error-codes.json is written; now npm run openapi')
}
