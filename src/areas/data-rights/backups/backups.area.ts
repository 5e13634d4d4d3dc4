import type { Area } from '../../area.ts'
import {
  expireArchivesJob,
  makeBackupJob,
  restoreBackupJob,
  takeBackRestoresSweep,
} from './backups.jobs.ts'
import * as backups from './backups.routes.ts'

export const backupsArea: Area = {
  tag: 'Backups',
  operations: [backups],
  jobs: [expireArchivesJob, makeBackupJob, restoreBackupJob],
  nightly: [expireArchivesJob],
  sweeps: [takeBackRestoresSweep],
}
