import type { Job } from '../../../../platform/tasks.ts'
import { CUT_LOG, cutLog } from './cutting.usecases.ts'
import { STORE_SEGMENTS, storeSegments } from './segments.usecases.ts'

export const storeSegmentsJob: Job = {
  kind: STORE_SEGMENTS,
  run: (ctx, _payload, finish) => storeSegments(ctx, finish),
}

export const cutLogJob: Job = {
  kind: CUT_LOG,
  run: (ctx, _payload, finish) => cutLog(ctx, finish),
}
