import { errorTable } from '../../../domain/errors.ts'
import { idsTold } from '../../../domain/text.ts'

export const categoryErrors = errorTable('categories', {
  notFound: ['notFound', 'There is no such category.'],
  ambiguousName: ['invalid', 'Several categories have this name. Send the id of one: {ids}.'],
  nameTaken: ['conflict', 'There is a category of this name, kind and parent already.'],
  unknownParent: ['invalid', 'There is no such category to be the parent.'],
  kindMismatch: ['invalid', 'The parent is of the other kind.'],
  tooDeep: ['invalid', 'Categories nest 5 levels deep at most.'],
  belowItself: ['invalid', 'A category cannot stand below itself.'],
  kindStays: ['conflict', 'The kind stays while something is booked on it or stands below it.'],
  tooMany: ['conflict', 'There are 1,000 categories already; merge or delete some.'],
  unknownCategory: ['invalid', 'There is no such category.'],
  archivedCategory: ['invalid', 'The category is archived; it stays on old transactions only.'],
  ownerCreates: [
    'forbidden',
    'Only the owner of the account can create a category for it. Name one that exists.',
  ],
  namedTwice: ['invalid', 'The category is named twice.'],
  unknownTarget: ['invalid', 'There is no such other category to take it over.'],
  targetKind: ['invalid', 'What takes it over is of the other kind.'],
  targetArchived: ['invalid', 'What takes it over is archived; it stays on old transactions only.'],
  childNameTaken: ['conflict', 'What takes it over has one of the same name below it already.'],
  targetBelow: ['invalid', 'What takes it over stands below it; move it out first.'],
  inUse: [
    'conflict',
    'On the category hang {transactions} transactions, {children} categories below it and {payees} payees. Name another one in reassignTo.',
  ],
  tooManyLines: [
    'conflict',
    'More than 5,000 lines are booked on it; give some of its transactions another category first.',
  ],
})

/** What hangs on a category. */
export interface Dependants {
  transactionCount: number
  childCount: number
  payeeCount: number
}

/** Refuses to delete what something hangs on, and counts it. */
export const inUse = ({ transactionCount, childCount, payeeCount }: Dependants) =>
  categoryErrors.inUse(
    { transactions: transactionCount, children: childCount, payees: payeeCount },
    { field: 'reassignTo' },
  )

export const ambiguousName = (ids: string[], field: string) =>
  categoryErrors.ambiguousName({ ids: idsTold(ids) }, { field })
