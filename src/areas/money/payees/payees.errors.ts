import { errorTable } from '../../../domain/errors.ts'
import { listOfIds } from '../../../domain/text.ts'

export const payeeErrors = errorTable('payees', {
  notFound: ['notFound', 'There is no such payee.'],
  nameTaken: ['conflict', 'Another payee has this name. Choose another name.'],
  aliasTaken: ['conflict', 'Another payee has this alias, or the request contains it twice.'],
  aliasNotFound: ['notFound', 'The payee has no such alias.'],
  tooManyAliases: [
    'conflict',
    'The payee already has 200 aliases, which is the limit. Delete one first.',
  ],
  unknownCategory: ['invalid', 'There is no such category.'],
  unknownPayee: [
    'invalid',
    'The other payee does not exist, is this payee itself, or is in the list twice.',
  ],
  notThere: ['invalid', 'There is no such payee.'],
  unknownName: [
    'invalid',
    'There is no payee with this name. Send createMissing: true to create it.',
  ],
  archivedPayee: [
    'invalid',
    'The payee is archived, so it cannot be used for new data. Choose another one or unarchive it.',
  ],
  ownerCreates: [
    'forbidden',
    'Only the owner of the account can create a payee for it. Name one that exists.',
  ],
  ambiguousName: ['invalid', 'Several payees have this name. Send the id of one: {ids}.'],
  inUse: [
    'conflict',
    'The payee has {transactions} transactions. Send the id of another payee in reassignTo.',
  ],
  tooManyLinks: [
    'conflict',
    'These payees are on more than 5,000 transactions and parts, the maximum that one request can move. Give some of them another payee first.',
  ],
})

/** Refuses to delete a payee that transactions are with, and counts them. */
export const payeeInUse = (transactionCount: number) =>
  payeeErrors.inUse({ transactions: transactionCount }, { field: 'reassignTo' })

export const ambiguousPayeeName = (ids: string[], field: string) =>
  payeeErrors.ambiguousName({ ids: listOfIds(ids) }, { field })
