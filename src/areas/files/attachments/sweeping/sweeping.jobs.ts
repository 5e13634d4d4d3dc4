import type { Job } from '../../../../platform/tasks.ts'
import { PURGE_FILES, purgeFiles, SWEEP_FILES, sweepFiles } from './sweeping.usecases.ts'

export const purgeFilesJob: Job = {
  kind: PURGE_FILES,
  run: (ctx, _payload, finish) => purgeFiles(ctx, finish),
}

export const sweepFilesJob: Job = {
  kind: SWEEP_FILES,
  run: (ctx, payload, finish) => sweepFiles(ctx, payload as { cursor?: string }, finish),
}
