import { errorTable } from '../../../domain/errors.ts'
import { listOfIds } from '../../../domain/text.ts'

export const categoryErrors = errorTable('categories', {
  notFound: ['notFound', 'There is no such category.'],
  ambiguousName: ['invalid', 'Several categories have this name. Send the id of one: {ids}.'],
  nameTaken: [
    'conflict',
    'Another category with the same kind and parent has this name. Choose another name.',
  ],
  unknownParent: ['invalid', 'The parent category does not exist.'],
  kindMismatch: [
    'invalid',
    'The parent category is of the other kind. Choose a parent of the same kind.',
  ],
  tooDeep: ['invalid', 'Categories can be nested at most 5 levels deep.'],
  belowItself: ['invalid', 'A category cannot be moved below itself or one of its subcategories.'],
  kindStays: [
    'conflict',
    'The kind of a category cannot change while it has transactions or subcategories.',
  ],
  tooMany: [
    'conflict',
    'There are already 1,000 categories, which is the limit. Merge or delete some first.',
  ],
  unknownCategory: ['invalid', 'There is no such category.'],
  unknownName: [
    'invalid',
    'There is no category with this name for this kind of transaction. Send createMissing: true to create it.',
  ],
  incomeName: [
    'invalid',
    'The category with this name is for income. Name a category for expenses, or send createMissing: true to create one with this name.',
  ],
  archivedCategory: [
    'invalid',
    'The category is archived, so it cannot be used for new data. Choose another one or unarchive it.',
  ],
  ownerCreates: [
    'forbidden',
    'Only the owner of the account can create a category for it. Name one that exists.',
  ],
  namedTwice: ['invalid', 'The list contains this category twice. Send each category once.'],
  unknownTarget: ['invalid', 'The target category does not exist, or is this category itself.'],
  targetKind: ['invalid', 'The target category is of the other kind. Choose one of the same kind.'],
  targetArchived: [
    'invalid',
    'The target category is archived. Choose another one or unarchive it.',
  ],
  childNameTaken: [
    'conflict',
    'The target already has a subcategory with the same name. Rename one of the two first.',
  ],
  targetBelow: ['invalid', 'The target is a subcategory of this category. Move it first.'],
  inUse: [
    'conflict',
    'The category is used by {transactions} transactions, {children} subcategories and {payees} payees. Send the id of another category in reassignTo.',
  ],
  tooManyLines: [
    'conflict',
    'The category is on more than 5,000 transactions and parts, the maximum that one request can move. Give some of them another category first.',
  ],
  tooManyPayees: [
    'conflict',
    'The category is the usual one of more than 40,000 payees, the maximum that one request can move. Give some of them another category first.',
  ],
})

/** The usage of a category. */
export interface Dependants {
  transactionCount: number
  childCount: number
  payeeCount: number
}

/** The refusal to delete a category that is in use, with the counts. */
export const categoryInUse = ({ transactionCount, childCount, payeeCount }: Dependants) =>
  categoryErrors.inUse(
    { transactions: transactionCount, children: childCount, payees: payeeCount },
    { field: 'reassignTo' },
  )

export const ambiguousCategoryName = (ids: string[], field: string) =>
  categoryErrors.ambiguousName({ ids: listOfIds(ids) }, { field })
