import { errorTable } from '../../../domain/errors.ts'

export const recurringErrors = errorTable('recurring', {
  notFound: ['notFound', 'There is no such recurring item.'],
  noSuchOccurrence: [
    'notFound',
    'The item has no occurrence with the nominal date {nominalDate}.{hint}',
  ],
  tooMany: [
    'conflict',
    'There are already {most} active recurring items, which is the limit. Turn one off or delete one first.',
  ],
  accountNeeded: [
    'invalid',
    'Only an item with the mode `expect` can do without an account. Send `transaction.accountId`, or that mode.',
  ],
  currencyNeeded: [
    'invalid',
    'An item without an account needs a currency. Send `transaction.currency`.',
  ],
  currencyOfAccount: [
    'invalid',
    'The currency is that of the account. Leave out `transaction.currency`.',
  ],
  amountRange: [
    'invalid',
    'Only `between` has a largest amount, which must not be below `transaction.amount`, and only `about` has a tolerance.',
  ],
  notInSchedule: [
    'invalid',
    'The item can only be split at one of its own nominal dates. Send one of them as `from`.',
  ],
  unknownItem: ['invalid', 'There is no such recurring item. Send the id of one that you see.'],
  settled: [
    'conflict',
    'The occurrence is settled: a transaction was booked for it or linked to it. Change that transaction.',
  ],
  linkedElsewhere: [
    'conflict',
    'A transaction is linked to another occurrence. Take it off there first.',
  ],
  otherAccount: [
    'invalid',
    'A transaction is not on the account of the item. Link one that is, or change the item.',
  ],
  otherKind: ['invalid', 'The transaction of the item has no such field. Leave it out.'],
  tooManyDismissals: [
    'conflict',
    'You have dismissed {most} suggestions already, which is the limit.',
  ],
  spanTooLong: ['invalid', 'The span has more than {most}. Send a shorter one.'],
  dateNeeded: [
    'invalid',
    'An item with a schedule is booked for one of its occurrences. Send its `nominalDate`.',
  ],
  dateOfTemplate: [
    'invalid',
    'A template has no occurrences. Send the day as `date` in `changes`.',
  ],
  tokenIsRestricted: [
    'forbidden',
    'This personal access token is restricted to some accounts, so it cannot change an item for any account.',
  ],
})
