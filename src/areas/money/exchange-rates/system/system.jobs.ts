import type { Job } from '../../../../platform/tasks.ts'
import { FETCH_RATES, fetchRates } from './system.usecases.ts'

/** Fetches the reference rates every night, if a source is configured. */
export const fetchRatesJob: Job = {
  kind: FETCH_RATES,
  run: (ctx, _payload, finish) => fetchRates(ctx, finish),
}
