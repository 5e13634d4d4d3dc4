import { errorTable } from '../../../domain/errors.ts'

export const importErrors = errorTable('imports', {
  notFound: ['notFound', 'This import does not exist.'],
  tooMany: ['conflict', 'You have ten open imports, the maximum. Commit, cancel or delete one.'],
  sameFile: [
    'conflict',
    'This file is already open as the import {importId}. Continue there, or send `again=true`.',
  ],
  sameMoment: ['conflict', 'This file is already open as another import. Continue there.'],
  archiveInvalid: ['invalid', 'The archive cannot be read. {reason}'],
  archiveTooLarge: ['invalid', 'The archive is too large. {reason} Send its files one by one.'],
  tooSlow: ['invalid', 'Reading the file takes too long. Divide it into several files.'],
  attachmentNotFound: ['invalid', 'There is no such attachment, or you cannot see it.'],
  attachmentAndBody: ['invalid', 'Send either a file or `attachmentId`, not both.'],
  notSupported: [
    'unsupportedMediaType',
    'The format of the file cannot be imported.{hint} Download the file in a format that GET /import/format lists.',
  ],
  questionsOpen: [
    'conflict',
    'Questions about the file are still open: {keys}. Answer them with PUT /import/{id}/mapping, `account` as `accountId` and `accounts` as `accountMap`.',
  ],
  notPreviewed: [
    'conflict',
    'The import must be in the state `previewed`, but it is `{state}`. Get the import to see what it waits for.',
  ],
  statementDiffers: [
    'conflict',
    '{message} Compare the rows with the statement, and decide on those that are wrong, or send `force`.',
  ],
  underWay: [
    'conflict',
    'A job of this import is not finished. Wait for it, or cancel the import. If the job failed, commit or revert the import again.',
  ],
  tooManyMerged: ['conflict', 'A transaction can stand for at most 100 imported rows.'],
  reverted: [
    'conflict',
    'This import was reverted, so there is nothing left to cancel or to read.',
  ],
  alreadyDone: ['conflict', 'The rows of this import are booked already. Revert it first.'],
  accountNotFound: ['invalid', 'The account does not exist, or you cannot see it.'],
  accountNeeded: [
    'invalid',
    'This personal access token is restricted to some accounts. Send one of them as `accountId`.',
  ],
  accountsUnreached: [
    'invalid',
    'This personal access token is restricted to some accounts, but the file contains others, so the token could not see the import. Divide the file, or use a token for all accounts.',
  ],
  accountClosed: ['conflict', 'The account {accountId} is closed. Reopen it first.'],
  currencyMismatch: [
    'invalid',
    'The row is in {currency}, but the account is in {other}. Choose an account in {currency}.',
  ],
  rowNotFound: ['notFound', 'This row does not exist in the import.'],
  matchNotFound: [
    'invalid',
    'No transaction with this id can be matched: it must be booked on the account of the row.',
  ],
  matchTaken: [
    'conflict',
    'Another row of this import is matched with this transaction. Change the decision on that row first.',
  ],
  rowKnown: [
    'conflict',
    'The row was imported before, so it is a transaction already. Decide `book` to book it once more, or leave it out.',
  ],
  rowIncomplete: [
    'invalid',
    'The row lacks a date, an amount or an account. Send the missing values together with the decision.',
  ],
  fileGone: ['conflict', 'The file of this import was erased. Upload it again.'],
  nothingToRevert: [
    'conflict',
    'This import has no transactions to take back. If an earlier revert kept some, send `force` or `edited: remove`.',
  ],
  changedMeanwhile: [
    'conflict',
    'The import, or something that it refers to, changed at the same time. Read the import again, and repeat the request.',
  ],
  tooManyTwins: [
    'conflict',
    'Rows that are equal to the one in line {line} are booked too often. Skip the row, or record the transaction by hand.',
  ],
  stopped: ['conflict', 'The import was cancelled, or another run books these rows.'],
  unknownProfile: ['invalid', 'No import profile has this id.'],
  tooManyRowsDecided: [
    'invalid',
    'The filter matches {count} rows, but one request can decide on at most {most}. Narrow the filter.',
  ],
  unknownLabel: ['invalid', 'You have no active {what} with this id. Choose another one.'],
  labelOfOther: [
    'invalid',
    'The category, payee or tags do not belong to the owner of the account of the row in line {line}. Choose those of that owner.',
  ],
  categoryKind: [
    'invalid',
    'The row in line {line} is an expense, so it cannot have an income category. Choose an expense category.',
  ],
  unknownImport: ['invalid', 'No import has this id.'],
  notReadYet: ['conflict', 'The file of this import is not read yet. Answer its questions first.'],
  profileNotFound: ['notFound', 'This import profile does not exist.'],
  profileNameTaken: ['conflict', 'Another import profile has this name. Choose another name.'],
  tooManyProfiles: ['conflict', 'You have 200 import profiles, the maximum. Delete one first.'],
})

const errors = errorTable('imports', {
  accountGone: [
    'conflict',
    'You can no longer book on an account of the import. Ask its owner for access, and import the file again for the rest of its rows.',
  ],
  accountClosedMeanwhile: [
    'conflict',
    'An account of the import was closed. Reopen it, and import the file again for the rest of its rows.',
  ],
  labelGone: [
    'conflict',
    'A category, payee or tag that was chosen for a row is archived, deleted or of another kind. Import the file again for the rest of its rows, and choose another one.',
  ],
})

const gone = errors.labelGone

/** The errors that end a commit. */
export const bookingRefusals = {
  gone: errors.accountGone,
  closed: errors.accountClosedMeanwhile,
  labels: {
    categories: { unknown: gone, otherKind: gone, archived: gone },
    payees: { unknown: gone, archived: gone },
    tags: { unknown: gone, archived: gone },
  },
}
