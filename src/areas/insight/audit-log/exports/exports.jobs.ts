import type { Job } from '../../../../platform/tasks.ts'
import { MAKE_EXPORT } from './exports.usecases.ts'
import { makeExport } from './making.usecases.ts'

export const makeLogExportJob: Job = {
  kind: MAKE_EXPORT,
  run: (ctx, payload, finish) =>
    makeExport(ctx, (payload as { exportId: string }).exportId, finish),
}
