import type { Job } from '../../../platform/tasks.ts'
import { MAKE_BACKUP } from './backups.usecases.ts'
import { expireAll } from './expiry/expiry.usecases.ts'
import { makeBackup } from './making/making.usecases.ts'

export const makeBackupJob: Job = {
  kind: MAKE_BACKUP,
  run: (ctx, payload, finish) =>
    makeBackup(ctx, (payload as { backupId: string }).backupId, finish),
}

/** Deletes, every night, the archives of all kinds whose time is over. */
export const expireArchivesJob: Job = {
  kind: 'archives.expire',
  run: (ctx, _payload, finish) => expireAll(ctx, finish),
}
