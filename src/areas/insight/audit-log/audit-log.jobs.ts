import { defineJob, payloadText } from '../../../platform/work/payloads.ts'
import type { Sweep } from '../../../platform/work/tasks.ts'
import { CUT_LOG, cutLog } from './segments/verifying.usecases.ts'
import { STORE_SEGMENTS, storeSegments } from './segments/segments.usecases.ts'
import { sealLog } from './chain/chain.usecases.ts'
import { MAKE_EXPORT } from './exports/exports.usecases.ts'
import { makeExport } from './exports/making.usecases.ts'

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

export const sealLogSweep: Sweep = sealLog

export const makeLogExportJob = defineJob({
  kind: MAKE_EXPORT,
  payload: { exportId: payloadText },
  run: (ctx, { exportId }, finish) => makeExport(ctx, exportId, finish),
})
