import { errorTable } from '../../../domain/errors.ts'

export const userErrors = errorTable('users', {
  notFound: ['notFound', 'This user does not exist.'],
  emailTaken: ['conflict', 'This e-mail address is already registered. Use another one.'],
  unknownRole: ['invalid', 'This role does not exist.'],
  permissionNotHeld: [
    'forbidden',
    'You can assign only roles whose permissions you hold yourself.',
  ],
  strongerUser: [
    'forbidden',
    'This user has more permissions than you. Ask an administrator who holds them.',
  ],
  ownUser: ['conflict', 'You cannot do this to yourself. Ask another administrator.'],
  lastAdministrator: ['conflict', 'This is the last administrator. Appoint another one first.'],
  deleted: ['conflict', 'This user is scheduled for deletion. Restore them first.'],
  notDeleted: ['conflict', 'This user is not scheduled for deletion.'],
  beingErased: ['conflict', 'The time to restore this user has passed.'],
  revealNeedsPerson: [
    'forbidden',
    'A code is never shown to a personal access token. Have it mailed, or sign in.',
  ],
  mfaOff: ['conflict', 'The second factor of this user is off.'],
})
