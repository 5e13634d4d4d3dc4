import type { Area } from '../../area.ts'
import {
  expireArchivesJob,
  makeBackupJob,
  restoreBackupJob,
  takeBackRestoresSweep,
} from './backups.jobs.ts'
import * as backups from './backups.routes.ts'
import * as restoring from './restoring/restoring.routes.ts'
import * as uploads from './uploads/uploads.routes.ts'
import * as verifying from './verifying/verifying.routes.ts'

export const backupsArea: Area = {
  tag: 'Backups',
  operations: [backups, restoring, uploads, verifying],
  jobs: [expireArchivesJob, makeBackupJob, restoreBackupJob],
  nightly: [expireArchivesJob],
  sweeps: [takeBackRestoresSweep],
}
