import { errorTable } from '../../../domain/errors.ts'

export const backupErrors = errorTable('backups', {
  notFound: ['notFound', 'There is no such backup.'],
  tokenIsRestricted: [
    'forbidden',
    'This personal access token is restricted to accounts, and a backup is of all of them.',
  ],
  underWay: ['conflict', 'A backup is being made already.'],
  tooMany: ['conflict', 'There are three backups to download already; delete one first.'],
  notReady: ['conflict', 'This backup is not made yet.'],
  notKept: ['conflict', 'This backup was not made, or is not kept any more.'],
  tooManyFiles: ['invalid', 'There are more files than a backup can have.'],
})
