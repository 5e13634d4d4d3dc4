import type { Area } from '../../area.ts'
import { expireArchivesJob, makeBackupJob } from './backups.jobs.ts'
import * as backups from './backups.routes.ts'

export const backupsArea: Area = {
  operations: [backups],
  jobs: [expireArchivesJob, makeBackupJob],
  nightly: [expireArchivesJob],
}
