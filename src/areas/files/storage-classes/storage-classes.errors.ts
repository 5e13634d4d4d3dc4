import { errorTable } from '../../../domain/errors.ts'

export const storageClassErrors = errorTable('storageClasses', {
  notFound: ['notFound', 'This storage class does not exist.'],
  groupNotFound: ['notFound', 'This group does not exist.'],
  unknown: ['invalid', 'This storage class does not exist.'],
  nameTaken: ['conflict', 'Another storage class already has this name. Choose another name.'],
  inUse: [
    'conflict',
    'This storage class has files or is used by groups. Move those to another class first.',
  ],
  defaultStays: [
    'conflict',
    'The default class cannot be removed. Make another class the default first.',
  ],
  changedMeanwhile: ['conflict', 'Another class became the default in the meantime. Try again.'],
})
