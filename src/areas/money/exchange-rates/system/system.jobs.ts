import { defineJob } from '../../../../platform/work/payloads.ts'
import { FETCH_RATES, fetchRates } from './system.usecases.ts'

/** Fetches the reference rates every night, if a source is configured. */
export const fetchRatesJob = defineJob({
  kind: FETCH_RATES,
  payload: {},
  run: (ctx, _payload, finish) => fetchRates(ctx, finish),
})
