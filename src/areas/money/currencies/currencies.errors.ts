import { errorTable } from '../../../domain/errors.ts'

export const currencyErrors = errorTable('currencies', {
  notFound: ['notFound', 'There is no such currency.'],
  repeated: ['invalid', 'The list contains this currency twice. Send each currency once.'],
  baseChanged: ['conflict', 'The base currency was changed in the meantime. Try again.'],
})
