import { errorTable } from '../../../domain/errors.ts'

export const roleErrors = errorTable('roles', {
  notFound: ['notFound', 'There is no such role.'],
  nameTaken: ['conflict', 'A role has this name already.'],
  systemRole: ['invalid', 'A system role stays, with its name and its permissions.'],
  permissionNotHeld: [
    'forbidden',
    'You can grant, and take away, only what you are permitted yourself.',
  ],
  inUse: ['conflict', 'This role is still in use; take it from its users first.'],
})
