import { carries, defineEvents } from '../../../platform/log/events.ts'

/** The event of an account that already has the counted balance, so that nothing is booked. */
export const balanceEvents = defineEvents('account', {
  balanceConfirmed: carries<{ balanceMinor: number; date: string }>(),
})
