export { ratesAsOf } from './exchange-rates.queries.ts'
