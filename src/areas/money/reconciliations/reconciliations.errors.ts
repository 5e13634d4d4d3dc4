import { errorTable } from '../../../domain/errors.ts'

export const reconciliationErrors = errorTable('reconciliations', {
  notFound: ['notFound', 'There is no such reconciliation.'],
  unknownAccount: ['invalid', 'There is no such account, or you cannot see it.'],
  unknownFile: ['invalid', 'There is no such file, or you cannot see it.'],
  unknownImport: [
    'invalid',
    'There is no such import for this account that was booked. Choose another one.',
  ],
  importNeeded: ['invalid', 'Send importId with prefill: import.'],
  dateInFuture: ['invalid', 'The day is in the future. Enter today or an earlier day.'],
  dateBeforeLast: [
    'invalid',
    'The account is reconciled through {date}. Enter that day or a later one.',
  ],
  unknownTransaction: ['invalid', 'There is no such transaction, or you cannot see it.'],
  accountClosed: ['conflict', 'The account is closed. Reopen it first.'],
  open: [
    'conflict',
    'The account already has an open reconciliation. Finish or abandon that one first.',
  ],
  pending: [
    'conflict',
    'The transaction is pending. Tick it once the bank has posted it and its status is uncleared or cleared.',
  ],
  rowNotOnOffer: [
    'conflict',
    'The transaction cannot be ticked here. It must be on the account, neither void nor reconciled, and dated at most 31 days after the statement.',
  ],
  tooManyRows: [
    'conflict',
    'A reconciliation can have at most 2,000 ticked transactions. Choose an earlier statement date, or tick fewer.',
  ],
  difference: [
    'conflict',
    'The difference is {difference} {currency}, not zero. See what explains it with GET /reconciliation/{id}/suggestion, tick other transactions, or send adjust: true to book it.',
  ],
  hiddenRows: [
    'forbidden',
    'Private transactions that you do not see are in the sum. Ask the owner of the account to finish or undo the reconciliation.',
  ],
  notOpen: ['conflict', 'The reconciliation is not open.'],
  notFinished: ['conflict', 'The reconciliation is not finished.'],
  notLast: [
    'conflict',
    'Only the last finished reconciliation of an account can be undone. Undo the later ones first.',
  ],
})
