import { errorTable } from '../domain/errors.ts'

// What the platform itself refuses, and what it fails with.

export const limitErrors = errorTable('request', {
  limited: ['limited', 'Too many tries. Wait as long as Retry-After says, and try again.'],
  tooManyAtOnce: [
    'limited',
    'Too many of your requests wait already. Wait for their answers and try again.',
  ],
  budgetExhausted: [
    'limited',
    'Your requests have used up their share of the database. Wait as long as Retry-After says, and try again.',
  ],
})

export const serviceErrors = errorTable('service', {
  failed: ['internal', 'The service failed.'],
  unavailable: ['unavailable', 'The store is busy. Try again in a moment.'],
  busy: ['unavailable', 'Too many sign-ins at once. Try again in a moment.'],
})

export const repetitionErrors = errorTable('idempotency', {
  answerTooLarge: [
    'tooLarge',
    'The answer is too large to be kept for an Idempotency-Key. Send less at once.',
  ],
  mismatch: ['conflict', 'This Idempotency-Key was used with another request.'],
  notVisible: [
    'notFound',
    'You do not see any more what this request was about, so its answer is not repeated.',
  ],
})

export const fileErrors = errorTable('files', {
  tooLarge: ['tooLarge', 'The file is larger than the {most} bytes that are taken here.'],
  truncated: ['invalid', 'The file did not arrive in its full length. Send it again.'],
})

export const outboundErrors = errorTable('outbound', {
  refusedAddress: [
    'invalid',
    'The address must be a public https URL on port 443, without user name or password.',
  ],
  failed: [
    'unavailable',
    'Another service that this needs did not answer as it should. Try again later.',
  ],
})

export const oidcErrors = errorTable('auth', {
  providerRefused: ['unauthenticated', 'The identity provider did not confirm who you are.'],
  providerUnusable: [
    'unavailable',
    'The identity provider does not describe itself as it should. Tell an administrator.',
  ],
})

export const rangeErrors = errorTable('ledger', {
  outOfRange: ['conflict', 'An amount or balance would become too large.'],
})
