import type { Job } from '../../../../platform/tasks.ts'
import { STORE_SEGMENTS, storeSegments } from './segments.usecases.ts'

export const storeSegmentsJob: Job = {
  kind: STORE_SEGMENTS,
  run: (ctx, _payload, finish) => storeSegments(ctx, finish),
}
