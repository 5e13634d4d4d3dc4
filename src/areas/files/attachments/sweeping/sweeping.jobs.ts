import { defineJob, optional, text } from '../../../../platform/work/payloads.ts'
import { PURGE_FILES, purgeFiles, SWEEP_FILES, sweepFiles } from './sweeping.usecases.ts'

export const purgeFilesJob = defineJob({
  kind: PURGE_FILES,
  payload: { after: optional(text) },
  run: purgeFiles,
})

export const sweepFilesJob = defineJob({
  kind: SWEEP_FILES,
  payload: { cursor: optional(text) },
  run: sweepFiles,
})
