import { commit, read } from '../../platform/database.ts'
import { logEvent } from '../../platform/logger.ts'
import type { Job } from '../../platform/tasks.ts'
import { asFacts, ledgerChecks } from './checks/checks.queries.ts'
import { CHECK_LEDGER } from './checks/checks.rules.ts'

/** How many findings the alarm names; it counts them all. */
const NAMED = 20

/** Compares the ledger with itself every night. A difference is an alarm for people, not a repair. */
export const checkLedger: Job = {
  kind: CHECK_LEDGER,
  run: async (ctx, _payload, finish) => {
    const names = Object.keys(ledgerChecks)
    const results = await read(ctx, ...Object.values(ledgerChecks).map((check) => check()))
    const counts = Object.fromEntries(names.map((name, at) => [name, results[at]?.length ?? 0]))
    const findings = results.flat().map(({ finding }) => finding)
    await commit(ctx, {
      action: 'ledger.checked',
      // By its task, the last result is found.
      resource: { type: 'ledger', id: ctx.task?.id ?? null },
      facts: asFacts(counts),
      writes: finish,
      result: undefined,
    })
    if (findings.length > 0) {
      logEvent('error', 'ledger.differs', { counts, findings: findings.slice(0, NAMED) })
    }
  },
}
