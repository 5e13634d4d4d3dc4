export { ratesAsOf } from './exchange-rates.queries.ts'
export { storedRates } from './exchange-rates.rules.ts'
