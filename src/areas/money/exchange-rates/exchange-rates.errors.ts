import { errorTable } from '../../../domain/errors.ts'

export const exchangeRateErrors = errorTable('exchangeRates', {
  notFound: ['notFound', 'There is no such exchange rate.'],
  noRate: ['notFound', 'No stored rates lead from the one currency to the other on that date.'],
  samePair: ['invalid', 'A rate is between two different currencies.'],
  repeated: ['invalid', 'Each pair can have only one rate on a date in a request.'],
  taken: ['conflict', 'There is a rate of this pair on this date already.'],
  changedMeanwhile: ['conflict', 'One of the rates was changed meanwhile.'],
  systemRate: ['forbidden', 'This rate is of the system; add one of your own, which comes first.'],
  noSource: ['conflict', 'No source of exchange rates is configured.'],
  sourceFailed: ['unavailable', 'The source of exchange rates answered with an error.'],
  malformedFile: ['unavailable', 'The source of exchange rates answered with no file of rates.'],
})
