import type { Area } from '../../area.ts'
import { attachedFiles } from './links/links.hooks.ts'
import * as attachments from './attachments.routes.ts'
import { purgeFilesJob, sweepFilesJob } from './sweeping/sweeping.jobs.ts'

export const attachmentsArea: Area = {
  tag: 'Files',
  operations: [attachments],
  jobs: [purgeFilesJob, sweepFilesJob],
  nightly: [purgeFilesJob, sweepFilesJob],
  hooks: [attachedFiles],
}
