import { errorTable } from '../../../domain/errors.ts'
import { idsTold } from '../../../domain/text.ts'

export const payeeErrors = errorTable('payees', {
  notFound: ['notFound', 'There is no such payee.'],
  nameTaken: ['conflict', 'There is a payee of this name already.'],
  aliasTaken: ['conflict', 'Another payee has this alias, or it was sent twice.'],
  aliasNotFound: ['notFound', 'The payee has no such alias.'],
  tooManyAliases: ['conflict', 'The payee has 200 aliases already.'],
  unknownCategory: ['invalid', 'There is no such category.'],
  unknownPayee: ['invalid', 'There is no such other payee, or it is named twice.'],
  notThere: ['invalid', 'There is no such payee.'],
  archivedPayee: ['invalid', 'The payee is archived; it stays on old transactions only.'],
  ownerCreates: [
    'forbidden',
    'Only the owner of the account can create a payee for it. Name one that exists.',
  ],
  ambiguousName: ['invalid', 'Several payees have this name. Send the id of one: {ids}.'],
  inUse: [
    'conflict',
    'There are {transactions} transactions with the payee. Name another one in reassignTo.',
  ],
  tooManyLinks: [
    'conflict',
    'More than 5,000 transactions and parts are with them; give some of these another payee first.',
  ],
})

/** Refuses to delete a payee that transactions are with, and counts them. */
export const inUse = (transactionCount: number) =>
  payeeErrors.inUse({ transactions: transactionCount }, { field: 'reassignTo' })

export const ambiguousName = (ids: string[], field: string) =>
  payeeErrors.ambiguousName({ ids: idsTold(ids) }, { field })
