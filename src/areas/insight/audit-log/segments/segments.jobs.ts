import { defineJob } from '../../../../platform/payloads.ts'
import { CUT_LOG, cutLog } from './verifying.usecases.ts'
import { STORE_SEGMENTS, storeSegments } from './segments.usecases.ts'

export const storeSegmentsJob = defineJob({
  kind: STORE_SEGMENTS,
  payload: {},
  run: (ctx, _payload, finish) => storeSegments(ctx, finish),
})

export const cutLogJob = defineJob({
  kind: CUT_LOG,
  payload: {},
  run: (ctx, _payload, finish) => cutLog(ctx, finish),
})
