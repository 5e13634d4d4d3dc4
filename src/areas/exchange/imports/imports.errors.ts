import { errorTable } from '../../../domain/errors.ts'

export const importErrors = errorTable('imports', {
  notFound: ['notFound', 'This import does not exist.'],
  tooMany: ['conflict', 'You have ten open imports, the maximum. Commit, cancel or delete one.'],
  sameFile: [
    'conflict',
    'This file is already open as the import {importId}. Continue there, or send `again=true`.',
  ],
  sameMoment: ['conflict', 'This file is already open as another import. Continue there.'],
  archiveInvalid: ['invalid', 'The archive cannot be read: {reason}'],
  archiveTooLarge: [
    'invalid',
    'The archive is larger than can be read: at most 100 files and 100 MiB unpacked. {reason}',
  ],
  tooSlow: ['invalid', 'Reading the file takes too long. Divide it into several files.'],
  attachmentNotFound: ['invalid', 'There is no such attachment, or you cannot see it.'],
  attachmentAndBody: ['invalid', 'Send either a file or `attachmentId`, not both.'],
  notSupported: [
    'unsupportedMediaType',
    'The file is of no format that can be imported; the nearest is {nearest}. Download it as one of GET /import/format.',
  ],
  questionsOpen: [
    'conflict',
    'Questions about the file are still open: {keys}. Answer them with PUT /import/{id}/mapping.',
  ],
  notPreviewed: [
    'conflict',
    'This needs the state `previewed`, but the import is `{state}`. Read the import for what it waits for.',
  ],
  underWay: ['conflict', 'A job of this import is still running. Wait for it, or cancel it.'],
  alreadyDone: ['conflict', 'The rows of this import are booked already. Revert it first.'],
  accountNotFound: ['invalid', 'The account does not exist, or you cannot see it.'],
  accountNeeded: [
    'invalid',
    'This token is for some accounts only, and sees only their imports. Send one of them as `accountId`.',
  ],
  accountClosed: ['conflict', 'The account {accountId} is closed. Reopen it first.'],
  otherCurrency: [
    'invalid',
    'The row is in {currency}, but the account is in {other}. Choose an account in {currency}.',
  ],
  rowNotFound: ['notFound', 'This row does not exist in the import.'],
  matchNotFound: [
    'invalid',
    'No transaction with this id can be matched: it must be booked on the account of the row.',
  ],
  fileGone: ['conflict', 'The file of this import was erased. Upload it again.'],
  nothingToRevert: [
    'conflict',
    'This import has booked nothing that can be taken back. What a revert kept needs `force` or `edited: remove`.',
  ],
  changedMeanwhile: [
    'conflict',
    'Something that the import refers to changed while it was booked. Commit it again.',
  ],
  tooManyTwins: ['conflict', 'The row in line {line} is booked too often beside itself.'],
  stopped: ['conflict', 'The import was called off, or another run has taken the piece.'],
  unknownProfile: ['invalid', 'No import profile has this id.'],
  tooManyRowsDecided: [
    'invalid',
    'The filter fits {count} rows, but one request decides at most {most}. Narrow it.',
  ],
  unknownLabel: ['invalid', 'No {what} of yours that is in use has this id.'],
  unknownImport: ['invalid', 'No import has this id.'],
  notReadYet: ['conflict', 'The file of this import is not read yet. Answer its questions first.'],
  profileNotFound: ['notFound', 'This import profile does not exist.'],
  profileNameTaken: ['conflict', 'Another import profile has this name. Choose another name.'],
  tooManyProfiles: ['conflict', 'You have 200 import profiles, the maximum. Delete one first.'],
})
