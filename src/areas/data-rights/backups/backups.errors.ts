import { errorTable } from '../../../domain/errors.ts'

export const backupErrors = errorTable('backups', {
  notFound: ['notFound', 'This backup does not exist.'],
  tokenIsRestricted: [
    'forbidden',
    'This personal access token is restricted to some accounts, and a backup includes all of them.',
  ],
  underWay: ['conflict', 'A backup is already being made. Wait until it is ready.'],
  tooMany: [
    'conflict',
    'You already have three backups to download, the maximum. Delete one first.',
  ],
  notReady: ['conflict', 'This backup is not ready yet. Wait for its job.'],
  notKept: ['conflict', 'This backup failed or has expired. Create a new one.'],
  notABackup: [
    'invalid',
    'This file is not a backup of Coffer: it has no manifest of one. Send the archive that was downloaded.',
  ],
  brokenArchive: ['invalid', 'This archive is damaged. {reason}'],
  newerVersion: [
    'invalid',
    'This backup was made by a newer version of the service. Update the service first.',
  ],
  tooManyFiles: [
    'invalid',
    'You have more files than a backup can hold. Delete some of them first.',
  ],
})
