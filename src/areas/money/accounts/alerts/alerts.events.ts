import { carries, defineEvents, type Updated } from '../../../../platform/log/events.ts'

/** The limits of an alert, in minor units of the account's currency. */
export interface AlertLimits {
  belowMinor: number | null
  aboveMinor: number | null
}

/** An alert is its person's alone: its events name no account of which others would see them. */
export const accountAlertEvents = defineEvents('accountAlert', {
  updated: carries<Updated<AlertLimits>>(),
})

/** The balance has fallen below the limit of whoever the event belongs to. */
export const balanceAlertEvents = defineEvents('account', { balanceLow: carries() })

/** There are expenses of more than the limit of whoever the event belongs to. */
export const expenseAlertEvents = defineEvents('transaction', { large: carries() })
