import { errorTable } from '../../../domain/errors.ts'

export const storageClassErrors = errorTable('storageClasses', {
  notFound: ['notFound', 'There is no such storage class.'],
  groupNotFound: ['notFound', 'There is no such group.'],
  unknown: ['invalid', 'There is no such storage class.'],
  nameTaken: ['conflict', 'A storage class has this name already.'],
  inUse: ['conflict', 'Files are kept in this storage class, or groups put theirs there.'],
  defaultStays: ['conflict', 'There is always one default: make another class the default first.'],
  changedMeanwhile: ['conflict', 'Another class became the default meanwhile; try again.'],
})
