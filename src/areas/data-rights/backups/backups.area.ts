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

export const backupsArea: Area = {
  tag: 'Backups',
  operations: [backups, restoring, uploads],
  jobs: [expireArchivesJob, makeBackupJob, restoreBackupJob],
  nightly: [expireArchivesJob],
  sweeps: [takeBackRestoresSweep],
}
