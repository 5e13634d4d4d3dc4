import { errorTable } from '../../../domain/errors.ts'

export const reconciliationErrors = errorTable('reconciliations', {
  notFound: ['notFound', 'There is no such reconciliation.'],
  unknownAccount: ['invalid', 'There is no such account, or you cannot see it.'],
  unknownFile: ['invalid', 'There is no such file, or you cannot see it.'],
  unknownImport: [
    'invalid',
    'No import with this id has booked rows on this account. Choose another one.',
  ],
  importNeeded: ['invalid', 'The prefill `import` needs the id of an import. Send `importId`.'],
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
    'The difference is {difference} {currency}, not zero. Find explanations with GET /reconciliation/{id}/suggestion, tick other transactions, or send adjust: true to book it.',
  ],
  hiddenRows: [
    'forbidden',
    'The sum contains private transactions that you cannot see. Ask the owner of the account to finish or undo the reconciliation.',
  ],
  notOpen: [
    'conflict',
    'The reconciliation is not open. Undo it if it is finished, or start a new one.',
  ],
  notFinished: ['conflict', 'Only a finished reconciliation can be undone. Abandon an open one.'],
  notLast: [
    'conflict',
    'Only the last finished reconciliation of an account can be undone. Undo the later ones first.',
  ],
})
