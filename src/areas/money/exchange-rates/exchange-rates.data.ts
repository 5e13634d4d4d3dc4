import {
  exchangeRates,
  rateCoverage,
  systemExchangeRates,
} from '../../../../drizzle/schema/currencies.ts'
import { isRate } from '../../../domain/exchange.ts'
import { textThat } from '../../../domain/stored-values.ts'
import { listed } from '../../../platform/owned-data/exports.ts'
import { type OwnedData, ownRows } from '../../../platform/owned-data/owned-data.ts'
import { presentRate } from './exchange-rates.contract.ts'
import { listExchangeRates } from './exchange-rates.usecases.ts'

export const exchangeRateData: OwnedData = {
  area: 'exchange-rates',
  tables: [exchangeRates, systemExchangeRates, rateCoverage],
  erase: [ownRows('exchangeRates', exchangeRates, { wipedWith: ['exchangeRates'] })],
  archived: [
    {
      table: exchangeRates,
      prefixes: ['rate'],
      owner: [exchangeRates.ownerId],
      order: [exchangeRates.date, exchangeRates.id],
      holds: {
        rate: textThat(isRate),
        to: (value, row) => value !== row['from_currency'],
      },
      merge: { same: [exchangeRates.from, exchangeRates.to, exchangeRates.date] },
    },
  ],
  exports: [
    listed(
      'exchangeRates',
      (owner, page) => listExchangeRates(owner, { source: 'user' }, page),
      presentRate,
      (rate, ownerId) => rate.ownerId === ownerId,
    ),
  ],
}
