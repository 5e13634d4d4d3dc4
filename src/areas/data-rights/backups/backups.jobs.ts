import { defineJob, payloadText } from '../../../platform/work/payloads.ts'
import type { Sweep } from '../../../platform/work/tasks.ts'
import { MAKE_BACKUP, expireAll } from './backups.usecases.ts'
import { goOnRestoring, takeBackDeadRestores } from './restoring/running.usecases.ts'
import { RESTORE_BACKUP } from './restoring/restoring.usecases.ts'
import { makeBackup } from './making/making.usecases.ts'

export const makeBackupJob = defineJob({
  kind: MAKE_BACKUP,
  payload: { backupId: payloadText },
  run: (ctx, { backupId }, finish) => makeBackup(ctx, backupId, finish),
})

export const restoreBackupJob = defineJob({
  kind: RESTORE_BACKUP,
  payload: { restoreId: payloadText },
  run: (ctx, { restoreId }, finish) => goOnRestoring(ctx, restoreId, finish),
})

/** Deletes, every night, the archives of all kinds whose time is over. */
export const expireArchivesJob = defineJob({
  kind: 'archives.expire',
  payload: {},
  run: (ctx, _payload, finish) => expireAll(ctx, finish),
})

/** Takes back, at each tick of the clock, restores whose task is given up. */
export const takeBackRestoresSweep: Sweep = takeBackDeadRestores
