import { errorTable } from '../../../domain/errors.ts'

export const currencyErrors = errorTable('currencies', {
  notFound: ['notFound', 'There is no such currency.'],
  repeated: ['invalid', 'A currency can be in the list only once.'],
  baseChanged: ['conflict', 'The base currency was changed meanwhile.'],
})
