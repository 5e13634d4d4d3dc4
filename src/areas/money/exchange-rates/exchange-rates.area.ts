import type { Area } from '../../area.ts'
import * as exchangeRates from './exchange-rates.routes.ts'
import { fetchRatesJob } from './system/system.jobs.ts'
import * as system from './system/system.routes.ts'

export const exchangeRatesArea: Area = {
  tag: 'Exchange rates',
  operations: [exchangeRates, system],
  jobs: [fetchRatesJob],
  nightly: [fetchRatesJob],
}
