import { errorTable } from '../../../domain/errors.ts'

export const exchangeRateErrors = errorTable('exchangeRates', {
  notFound: ['notFound', 'There is no such exchange rate.'],
  noRate: [
    'notFound',
    'There is no rate between these currencies for that date. Create one first.',
  ],
  samePair: ['invalid', 'A rate needs two different currencies.'],
  repeated: [
    'invalid',
    'The request contains this pair and date twice. Send one rate for each pair and date.',
  ],
  taken: ['conflict', 'A rate for this pair and date already exists.'],
  changedMeanwhile: ['conflict', 'One of the rates was changed in the meantime. Try again.'],
  systemRate: [
    'forbidden',
    'You cannot change a rate of the system. Create your own rate, which takes precedence.',
  ],
  noSource: ['conflict', 'No source of exchange rates is configured on this server.'],
  sourceFailed: ['unavailable', 'The source of exchange rates answered with an error.'],
  malformedFile: [
    'unavailable',
    'The source of exchange rates did not answer with a valid file of rates.',
  ],
})
