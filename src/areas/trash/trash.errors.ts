import { errorTable } from '../../domain/errors.ts'

export const trashErrors = errorTable('trash', {
  notFound: ['notFound', 'There is nothing like it in the trash.'],
  accountInTrash: ['conflict', 'An account of it is in the trash; restore that first.'],
  accountClosed: ['conflict', 'An account of it is closed; reopen it first.'],
  externalIdTaken: ['conflict', 'The account has another transaction with its externalId now.'],
  nameTaken: ['conflict', 'Another one has its name now; rename that first.'],
  placeTaken: [
    'conflict',
    'The tree would have a circle or a sixth level; move what stood below it.',
  ],
  tooManyCategories: ['conflict', 'There are 1,000 categories already; delete another one first.'],
  changedMeanwhile: ['conflict', 'It was restored, erased or changed meanwhile.'],
  tokenIsRestricted: [
    'forbidden',
    'This personal access token is restricted to some accounts, so it cannot empty the trash.',
  ],
})
