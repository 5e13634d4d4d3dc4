import { carries, defineEvents } from '../../../platform/events.ts'

/** That an account has the balance that somebody counted, so that nothing is booked. */
export const balanceEvents = defineEvents('account', {
  balanceConfirmed: carries<{ balanceMinor: number; date: string }>(),
})
