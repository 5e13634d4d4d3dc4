import type { Area } from '../../area.ts'
import { attachedFiles } from './links/links.hooks.ts'
import * as attachments from './attachments.routes.ts'
import * as downloads from './downloads/downloads.routes.ts'
import * as links from './links/links.routes.ts'
import { purgeFilesJob, sweepFilesJob } from './sweeping/sweeping.jobs.ts'
import * as upload from './upload/upload.routes.ts'

export const attachmentsArea: Area = {
  tag: 'Files',
  operations: [attachments, upload, links, downloads],
  jobs: [purgeFilesJob, sweepFilesJob],
  nightly: [purgeFilesJob, sweepFilesJob],
  hooks: [attachedFiles],
}
