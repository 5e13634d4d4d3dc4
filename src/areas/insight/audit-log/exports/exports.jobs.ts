import { defineJob, text } from '../../../../platform/payloads.ts'
import { MAKE_EXPORT } from './exports.usecases.ts'
import { makeExport } from './making.usecases.ts'

export const makeLogExportJob = defineJob({
  kind: MAKE_EXPORT,
  payload: { exportId: text },
  run: (ctx, { exportId }, finish) => makeExport(ctx, exportId, finish),
})
