import { carries, defineEvents, type Updated } from '../../../platform/log/events.ts'

/** Events of a user's list of currencies, by the id of the user. */
export const currenciesEvents = defineEvents('currencies', {
  chosen: carries<Updated<{ currencies: string[] }>>(),
})
