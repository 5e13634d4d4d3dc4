import { errorTable } from '../../../domain/errors.ts'

export const userErrors = errorTable('users', {
  notFound: ['notFound', 'There is no such user.'],
  emailTaken: ['conflict', 'This e-mail address is registered already.'],
  unknownRole: ['invalid', 'There is no such role.'],
  permissionNotHeld: ['forbidden', 'You can grant only what you are permitted yourself.'],
  strongerUser: ['forbidden', 'This user is permitted more than you are.'],
  ownUser: ['conflict', 'You cannot do this to yourself; ask another administrator.'],
  lastAdministrator: ['conflict', 'This is the last administrator; make another one first.'],
  deleted: ['conflict', 'This user is to be deleted; restore it first.'],
  notDeleted: ['conflict', 'This user is not to be deleted.'],
  beingErased: ['conflict', 'The time is up in which this user could be restored.'],
  revealNeedsPerson: [
    'forbidden',
    'A code is shown to people who signed in, not to programs; have it mailed.',
  ],
  mfaOff: ['conflict', 'The second factor of this user is off.'],
})
