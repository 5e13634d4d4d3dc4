import { errorTable } from '../domain/errors.ts'

// The refusals and failures of the platform itself.

export const limitErrors = errorTable('request', {
  limited: [
    'limited',
    'Too many attempts. Wait as many seconds as the Retry-After header says, then try again.',
  ],
  tooManyAtOnce: [
    'limited',
    'Too many of your requests are waiting. Wait for their answers, then try again.',
  ],
  budgetExhausted: [
    'limited',
    'Your requests have used up the database time that each user has per minute. Wait as many seconds as the Retry-After header says, then send fewer or smaller requests.',
  ],
})

export const serviceErrors = errorTable('service', {
  failed: ['internal', 'The service failed. Try again later.'],
  unavailable: ['unavailable', 'The database or file storage is busy. Try again in a moment.'],
  busy: ['unavailable', 'Too many sign-ins are in progress. Try again in a moment.'],
})

export const repetitionErrors = errorTable('idempotency', {
  answerTooLarge: [
    'tooLarge',
    'The answer is too large to be stored for an Idempotency-Key. Send less per request.',
  ],
  mismatch: ['conflict', 'This Idempotency-Key was used with another request. Send a new key.'],
  notVisible: [
    'notFound',
    'You can no longer see what this request was about, so its answer is not repeated.',
  ],
})

export const storedFileErrors = errorTable('files', {
  tooLarge: ['tooLarge', 'The file is larger than {most} bytes. Send a smaller file.'],
  truncated: ['invalid', 'The file is incomplete. Send it again.'],
})

export const outboundErrors = errorTable('outbound', {
  refusedAddress: [
    'invalid',
    'The address must be a public https URL on port 443, without user name or password.',
  ],
  failed: ['unavailable', 'Another service that this request depends on failed. Try again later.'],
})

export const mailErrors = errorTable('mail', {
  unbound: [
    'unavailable',
    'This service cannot send mail, because no mail server is configured. Ask an administrator.',
  ],
  failed: ['unavailable', 'The mail could not be sent.'],
})

export const oidcErrors = errorTable('auth', {
  providerRefused: [
    'unauthenticated',
    'The identity provider did not confirm who you are. Sign in with it again.',
  ],
  providerUnusable: [
    'unavailable',
    'The configuration published by the identity provider is invalid. Tell an administrator.',
  ],
})

export const rangeErrors = errorTable('ledger', {
  outOfRange: ['conflict', 'An amount or balance would become too large. Use smaller amounts.'],
})
