import { errorTable } from '../../../domain/errors.ts'

export const backupErrors = errorTable('backups', {
  notFound: ['notFound', 'This backup does not exist.'],
  tokenIsRestricted: [
    'forbidden',
    'This personal access token is restricted to some accounts, but a backup includes all of them. Sign in, or use a token for all accounts.',
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
    'This file is not a backup of Coffer: it has no valid manifest. Send the archive as it was downloaded.',
  ],
  brokenArchive: ['invalid', 'This archive is damaged. {reason}'],
  newerVersion: [
    'invalid',
    'This backup was made by a newer version of the service. Update the service first.',
  ],
  restoreNotFound: ['notFound', 'This restore does not exist.'],
  restoreUnderWay: ['conflict', 'A backup is already being restored. Wait until it has ended.'],
  wipeScheduled: [
    'conflict',
    'A wipe of your data is scheduled, and it would also erase what is restored. Undo it with DELETE /user/data/wipe, or wait until it has ended.',
  ],
  notEmpty: [
    'conflict',
    'A backup can be restored only if you have no data yet, but you have {what}. Send `mode=merge` to add what is missing, restore as a new user, or delete the data and empty the trash.',
  ],
  mapWithoutMerge: [
    'invalid',
    'Accounts can be mapped only with `mode=merge`. Leave out `accountMap`, or send that mode.',
  ],
  unknownArchivedAccount: [
    'invalid',
    '`accountMap` names {id}, which is not an account of the archive, or which you have already. Leave it out.',
  ],
  unknownOwnAccount: [
    'invalid',
    '`accountMap` names {id} as your account, but it is not one, is in the trash, or is in the archive, too. Name another one.',
  ],
  otherCurrency: [
    'conflict',
    'Your account "{name}" is in {currency}, but the account of the archive is in another currency. Nothing was merged. Name another account in `accountMap`, or leave it out.',
  ],
  inTrash: [
    'conflict',
    'The archive needs the {kind} "{name}", which is in your trash. Restore it, or erase it, and merge again.',
  ],
  misplacedCategory: [
    'conflict',
    'The category "{name}" of the archive would be below a category of another kind, or more than 5 levels deep. Move its parent, and merge again.',
  ],
  tooManyRows: [
    'conflict',
    'With the rows of the archive, you would have {limit}. Delete some of them, and merge again.',
  ],
  accountInTrash: [
    'conflict',
    'The archive has transactions to add to your account "{name}", which is in the trash. Restore it, or erase it, and merge again.',
  ],
  accountClosed: [
    'conflict',
    'The archive has transactions to add to your account "{name}", which is closed. Reopen it and merge again.',
  ],
  periodLocked: [
    'conflict',
    'The archive has transactions to add to the account "{name}", which is locked through {through}. End the lock and merge again.',
  ],
  transactionHere: [
    'conflict',
    'The archive adds an account, but you already have its transaction {id}, or one that replaced it. Erase that transaction, or the transfer or split that it is part of, and merge again.',
  ],
  changedMeanwhile: [
    'conflict',
    'Your data changed while the backup was being restored, so the restored data was removed. Try again, and change nothing meanwhile.',
  ],
  interrupted: [
    'conflict',
    'The restore was interrupted too often, or an administrator stopped it. The restored data was removed. Try again.',
  ],
  different: [
    'conflict',
    'After restoring, the table {table} differed from the archive, so the restored data was removed. Try again, or ask the operator of the service.',
  ],
  foreignRow: ['conflict', 'An id of the archive belongs to somebody else, so it is not restored.'],
  oneSource: [
    'invalid',
    'Send either the archive as the body, or one of `uploadId` and `backupId`.',
  ],
  unknownUpload: [
    'invalid',
    'You have no upload with this id, or it has expired. Upload the archive again.',
  ],
  unknownBackup: ['invalid', 'You have no backup with this id.'],
  uploadNotFound: ['notFound', 'This upload does not exist, or has expired. Start a new one.'],
  tooManyUploads: [
    'conflict',
    'You already have three uploads, the maximum. Delete one of them first.',
  ],
  emptyPart: ['invalid', 'This part has no bytes. Send them as the body.'],
  partTooSmall: [
    'invalid',
    'Every part except the last has at least {least} bytes, but part {number} has {size}.',
  ],
  uploadTooLong: [
    'invalid',
    'The parts have {sent} bytes together, but {size} were declared for this upload. Start a new one with the right size.',
  ],
  uploadIncomplete: [
    'conflict',
    'This upload has {received} of {size} bytes in {parts} parts. Send the missing parts first.',
  ],
  uploadMismatch: [
    'conflict',
    'The bytes of this upload do not have the SHA-256 that was declared. Send the damaged parts again.',
  ],
  uploadInUse: [
    'conflict',
    'This upload was checked already, so its parts cannot change. Start a new one.',
  ],
  tooManyFiles: [
    'invalid',
    'You have more files than a backup can hold. Delete some of them first.',
  ],
})
