import { defineJob, payloadText } from '../../../platform/work/payloads.ts'
import { MAKE_DATA_EXPORT, makeDataExport } from './exports.usecases.ts'

export const makeDataExportJob = defineJob({
  kind: MAKE_DATA_EXPORT,
  payload: { exportId: payloadText },
  run: (ctx, { exportId }, finish) => makeDataExport(ctx, exportId, finish),
})
