import { errorTable } from '../../../domain/errors.ts'

export const authErrors = errorTable('auth', {
  invalidCredentials: [
    'unauthenticated',
    'The e-mail address or the password is wrong. Check both and try again.',
  ],
  invalidRefreshToken: ['unauthenticated', 'This refresh token is not valid. Sign in again.'],
  wrongPassword: ['invalid', 'The password is wrong. Enter your current password.'],
  proofNeeded: [
    'forbidden',
    'You signed in more than 10 minutes ago. Send your password or a code of your second factor, or sign in again.',
  ],
  invalidToken: [
    'invalid',
    'This code is not valid: it is wrong, was used, or has expired. Request a new one.',
  ],
  wrongCode: ['invalid', 'This code is wrong or was already used. Enter a new one.'],
  invalidMfaToken: ['unauthenticated', 'This sign-in has ended. Sign in with your password again.'],
  invalidMfaCode: ['unauthenticated', 'This code is wrong or was already used. Enter a new one.'],
  mfaOn: ['conflict', 'The second factor is already on.'],
  mfaOff: ['conflict', 'The second factor is off. Set it up first.'],
  mfaNotBegun: [
    'conflict',
    'There is no secret to confirm. Request one with POST /auth/mfa/totp first.',
  ],
  unknownSession: ['notFound', 'This session does not exist.'],
  emailTaken: ['conflict', 'This e-mail address is already registered. Use another one.'],
  sameEmail: ['invalid', 'This is already your e-mail address. Enter another one.'],
  emailVerified: ['conflict', 'This e-mail address is already confirmed.'],
  registrationClosed: [
    'forbidden',
    'Registration is closed. Ask an administrator for an invite code.',
  ],
  inviteRequired: ['forbidden', 'Registration requires an invite code. Send one as inviteCode.'],
  invalidInvite: ['invalid', 'This invite code is not valid. Ask for a new one.'],
  passwordTooShort: ['invalid', 'The password must have at least 15 characters.'],
  passwordTooShortWithMfa: ['invalid', 'The password must have at least 8 characters.'],
  passwordNeedsMfa: [
    'conflict',
    'Your password is too short to be used without a second factor. Choose one with at least 15 characters first.',
  ],
  passwordTooLong: ['invalid', 'The password must have at most 128 characters.'],
  passwordTooCommon: [
    'invalid',
    'This password is in lists of leaked passwords, as it is or without the digits at its ends. Choose another one.',
  ],
  passwordIsPersonal: [
    'invalid',
    'The password must not consist of your e-mail address, your name or the name of this service.',
  ],
  passwordRepeats: ['invalid', 'The password must not repeat the same characters over and over.'],
  passwordIsSequence: [
    'invalid',
    'The password must not consist of sequences of keys, letters or digits.',
  ],
  passwordIsCommonWords: [
    'invalid',
    'The password must not be one or two common words, with or without digits. Add unrelated words.',
  ],
  passwordIsDigits: ['invalid', 'The password must not consist only of digits or dates.'],
})

/** A code of a mail, or one that an administrator was shown, as the field `token` of a request. */
export const invalidOneTimeToken = () => authErrors.invalidToken({ field: 'token' })
