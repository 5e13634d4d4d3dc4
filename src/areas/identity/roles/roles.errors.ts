import { errorTable } from '../../../domain/errors.ts'

export const roleErrors = errorTable('roles', {
  notFound: ['notFound', 'This role does not exist.'],
  nameTaken: ['conflict', 'Another role already has this name. Choose another name.'],
  systemRole: [
    'invalid',
    'A system role cannot be renamed or deleted, and its permissions cannot be changed.',
  ],
  permissionNotHeld: [
    'forbidden',
    'You can add and remove only permissions that you hold yourself.',
  ],
  inUse: ['conflict', 'Some users still have this role. Remove it from them first.'],
})
