import { defineJob, optional, payloadText } from '../../../platform/work/payloads.ts'
import { CHECK_ASSERTIONS, checkAssertions } from './balance-assertions.usecases.ts'

/** Tells every night of assertions that do not hold any more. */
export const checkAssertionsJob = defineJob({
  kind: CHECK_ASSERTIONS,
  payload: { after: optional(payloadText) },
  run: checkAssertions,
})
