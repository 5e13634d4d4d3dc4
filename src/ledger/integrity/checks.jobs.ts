import { commit } from '../../platform/database/database.ts'
import { logEvent } from '../../platform/logger.ts'
import {
  defineJob,
  integer,
  payloadList,
  objectOf,
  oneOf,
  optional,
  payloadRecord,
  payloadText,
} from '../../platform/work/payloads.ts'
import { asFacts } from './checks.queries.ts'
import {
  CHECK_LEDGER,
  type CheckedStep,
  checkNames,
  compareLedger,
  type CheckPlace,
} from './checks.usecases.ts'
import { ledgerEvents } from '../ledger.events.ts'
import { RECALCULATE, recalculate } from './recalculation.usecases.ts'

/** The most findings that the alarm names; it counts them all. */
const NAMED = 20

/** Steps of one run, so that it ends well within its lease; what is left is another task's. */
const MOST_STEPS = 200

/** The progress that a task takes over from the tasks before it. */
interface Payload {
  place?: CheckPlace | undefined
  /** Differences by the name of the check that found them. */
  counts?: Record<string, number> | undefined
  findings?: string[] | undefined
}

const nothingFound = () => Object.fromEntries(checkNames().map((name) => [name, 0]))

/**
 * Compares the ledger with itself every night, and what areas keep with the ledger. A difference is an alarm for people, not a repair. A run that was
 * killed is done again from where its task began.
 */
export const checkLedger = defineJob({
  kind: CHECK_LEDGER,
  payload: {
    place: optional(
      objectOf({ of: oneOf(['accounts', 'transactions', 'areas']), after: payloadText }),
    ),
    counts: optional(payloadRecord(integer)),
    findings: optional(payloadList(payloadText)),
  },
  run: async (ctx, payload, finish) => {
    let seen: Payload = payload
    let steps = 0
    for await (const step of compareLedger(ctx, seen.place)) {
      seen = withStep(seen, step)
      if (++steps === MOST_STEPS) {
        break
      }
    }
    const { place, counts = nothingFound(), findings = [] } = seen
    const tell = place ? ledgerEvents.checkContinued : ledgerEvents.checked
    await commit(ctx, {
      changes: [
        {
          statements: finish,
          // By its task, the last result is found.
          events: [tell({ id: ctx.task?.id ?? null, facts: asFacts(counts) })],
        },
      ],
      tasks: place ? [{ kind: CHECK_LEDGER, payload: { ...seen }, cancellable: true }] : [],
      result: undefined,
    })
    if (!place && findings.length > 0) {
      logEvent('error', 'ledger.differs', { counts, findings })
    }
  },
})

const withStep = (
  { counts = nothingFound(), findings = [] }: Payload,
  { found, next }: CheckedStep,
): Payload => ({
  place: next,
  counts: Object.fromEntries(
    Object.entries(counts).map(([name, count]) => [name, count + (found[name]?.length ?? 0)]),
  ),
  findings: [...findings, ...Object.values(found).flat()].slice(0, NAMED),
})

export const recalculateJob = defineJob({
  kind: RECALCULATE,
  payload: {
    after: optional(payloadText),
    accounts: optional(integer),
    differing: optional(integer),
  },
  run: recalculate,
})
