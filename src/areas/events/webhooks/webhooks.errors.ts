import { errorTable } from '../../../domain/errors.ts'

export const webhookErrors = errorTable('webhooks', {
  notFound: ['notFound', 'There is no such webhook.'],
  deliveryNotFound: [
    'notFound',
    'The webhook has no delivery with this number. Deliveries are kept for 30 days.',
  ],
  unknownType: [
    'invalid',
    'There are no such events. Send the type of an event, a resource with .* behind it, or *. Name types about sign-ins, sessions, tokens and factors in full.',
  ],
  unknownAccount: ['invalid', 'This account does not exist, or is not yours.'],
  unknownToken: ['invalid', 'This personal access token does not exist.'],
  tokenIsRestricted: [
    'forbidden',
    'This access token is restricted to some accounts. Name one or more of them in accountIds.',
  ],
  tooMany: ['conflict', 'There are already {most} webhooks, which is the limit. Delete one first.'],
  rotating: [
    'conflict',
    'The secret was replaced less than 24 hours ago, and the previous one is still in use. Try again later.',
  ],
  disabled: ['conflict', 'The webhook is not active. Activate it first.'],
})
