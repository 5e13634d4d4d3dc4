import type { CalendarDate } from '../calendar.ts'

/** The money that an account moved in a day or a whole month for one purpose: a row of `flow_periods`, or one line of a booking. */
export interface Flow {
  accountId: string
  /** The day; of a whole month, its first one. */
  day: CalendarDate
  flow: 'expense' | 'income' | 'transfer' | 'adjustment' | 'opening'
  /** Empty for none. */
  categoryId: string
  /** The account on the other side of a transfer; empty for other flows. */
  counterAccountId: string
  /** In the currency of the account; money that went out is negative. */
  amountMinor: number
  /** The part of it that is pending. */
  pendingMinor: number
}

/** An account inside of a budget. */
export interface InsideAccount {
  id: string
  currency: string
  /** A credit card has a payment line, unless the budget handles it as cash. */
  isCard: boolean
}

/** The figures that count outside of lines. */
export const OUTSIDE = ['uncategorised', 'uncovered', 'excluded', 'transfers', 'private'] as const

type OutsideFigure = (typeof OUTSIDE)[number]

export type Outside = Record<OutsideFigure, number>

/** Each of these figures by its name. */
export const outsideOf = (minorOf: (name: OutsideFigure) => number): Outside => ({
  uncategorised: minorOf('uncategorised'),
  uncovered: minorOf('uncovered'),
  excluded: minorOf('excluded'),
  transfers: minorOf('transfers'),
  private: minorOf('private'),
})
