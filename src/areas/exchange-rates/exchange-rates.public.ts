export { ratesAsOf } from './exchange-rates.queries.ts'
export { storedRates, viaOf } from './exchange-rates.rules.ts'
export { ratesThrough } from './series/series.queries.ts'
export { ratesOnDays } from './series/series.rules.ts'
