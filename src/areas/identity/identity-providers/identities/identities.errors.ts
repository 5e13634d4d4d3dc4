import { errorTable } from '../../../../domain/errors.ts'

export const identityErrors = errorTable('auth', {
  identityNotFound: ['notFound', 'This identity does not exist.'],
  unusableCode: ['invalid', 'This code is not valid. Sign in with the identity provider again.'],
  identityTaken: ['conflict', 'This identity is already linked.'],
  emailDiffers: [
    'conflict',
    'The e-mail address of the identity differs from yours. Use an identity with your address.',
  ],
  lastWayIn: ['conflict', 'This is your only way to sign in. Set a password first.'],
})
