/** `npm run check:ledger`: compares the local ledger with itself; a difference is an alarm, not repaired. */
import { withLocalService } from './lib/local-service.ts'
import { ledgerChecks } from '../src/areas/ledger/checks/checks.queries.ts'
import { read } from '../src/platform/database.ts'

const checks = Object.values(ledgerChecks)
const results = await withLocalService(({ makeContext }) =>
  read(makeContext(), ...checks.map((check) => check())),
)
const findings = results.flat()
for (const { finding } of findings) {
  console.error(finding)
}
console.log(`${checks.length} checks, ${findings.length} differences.`)
process.exitCode = findings.length === 0 ? 0 : 1
