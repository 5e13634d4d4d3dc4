import { errorTable } from '../../domain/errors.ts'

export const exchangeRateErrors = errorTable('exchangeRates', {
  samePair: ['invalid', 'A rate is between two different currencies.'],
  taken: ['conflict', 'There is a rate of this pair on this date already.'],
})
