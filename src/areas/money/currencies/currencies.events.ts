import { carries, defineEvents, type Updated } from '../../../platform/events.ts'

/** Of the list of a user, by the id of the user. */
export const currenciesEvents = defineEvents('currencies', {
  chosen: carries<Updated<{ currencies: string[] }>>(),
})
