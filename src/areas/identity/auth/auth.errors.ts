import { errorTable } from '../../../domain/errors.ts'

export const authErrors = errorTable('auth', {
  invalidCredentials: ['unauthenticated', 'The e-mail address or the password is wrong.'],
  invalidRefreshToken: ['unauthenticated', 'This refresh token is not valid; sign in again.'],
  wrongPassword: ['invalid', 'This is not your password.'],
  proofNeeded: [
    'forbidden',
    'Send your password or a code of your second factor, or sign in again: you signed in more than 10 minutes ago.',
  ],
  invalidToken: ['invalid', 'This code is not valid: it was used, has expired, or never was.'],
  wrongCode: ['invalid', 'This code is not valid, or was used already.'],
  invalidMfaToken: ['unauthenticated', 'This sign-in is over; start again with the password.'],
  invalidMfaCode: ['unauthenticated', 'This code is not valid, or was used already.'],
  mfaOn: ['conflict', 'The second factor is on already.'],
  mfaOff: ['conflict', 'The second factor is off.'],
  mfaNotBegun: ['conflict', 'Begin with a new secret first.'],
  unknownSession: ['notFound', 'There is no such session.'],
  emailTaken: ['conflict', 'This e-mail address is registered already.'],
  sameEmail: ['invalid', 'This is your e-mail address already.'],
  emailVerified: ['conflict', 'This address is confirmed already.'],
  registrationClosed: ['forbidden', 'Registration is closed.'],
  inviteRequired: ['forbidden', 'Registration needs an invite code.'],
  invalidInvite: ['invalid', 'This invite code is not valid.'],
  passwordTooShort: ['invalid', 'The password must have 15 characters or more.'],
  passwordTooShortWithMfa: ['invalid', 'The password must have 8 characters or more.'],
  passwordNeedsMfa: [
    'conflict',
    'Your password is too short to stand alone; choose a longer one first.',
  ],
  passwordTooLong: ['invalid', 'The password must have 128 characters or fewer.'],
  passwordTooCommon: [
    'invalid',
    'This password, or what is left of it without the digits at its ends, is in lists of leaked passwords.',
  ],
  passwordIsPersonal: [
    'invalid',
    'The password must not be made of your e-mail address, your name or the name of this service.',
  ],
  passwordRepeats: ['invalid', 'The password must not be one part over and over.'],
  passwordIsSequence: [
    'invalid',
    'The password must not be made of rows of keys, of the alphabet or of digits.',
  ],
  passwordIsCommonWords: [
    'invalid',
    'The password must not be one or two common words, alone or with digits; add words that do not belong together.',
  ],
  passwordIsDigits: ['invalid', 'The password must not be digits only, or dates.'],
})

/** A code of a mail, or one that an administrator was shown, as the field `token` of a request. */
export const invalidOneTimeToken = () => authErrors.invalidToken({ field: 'token' })
