import { errorTable } from '../../../../domain/errors.ts'

export const identityErrors = errorTable('auth', {
  identityNotFound: ['notFound', 'There is no such identity.'],
  unusableCode: ['invalid', 'This code is not valid; sign in with the identity provider again.'],
  identityTaken: ['conflict', 'This identity is linked already.'],
  emailDiffers: ['conflict', 'The identity has another e-mail address than you.'],
  lastWayIn: ['conflict', 'This is your only way in; set a password first.'],
})
