import { defineJob, optional, payloadText } from '../../../../platform/work/payloads.ts'
import { PURGE_FILES, purgeFiles, SWEEP_FILES, sweepFiles } from './sweeping.usecases.ts'

export const purgeFilesJob = defineJob({
  kind: PURGE_FILES,
  payload: { after: optional(payloadText) },
  run: purgeFiles,
})

export const sweepFilesJob = defineJob({
  kind: SWEEP_FILES,
  payload: { cursor: optional(payloadText) },
  run: sweepFiles,
})
