/** The kinds of notifications: types of events of the log, and what is due of recurring items. */
export const NOTIFICATION_KINDS = [
  'account.balanceLow',
  'transaction.large',
  'budget.thresholdReached',
  'budget.overspent',
  'recurring.due',
  'recurring.waits',
  'recurring.reminder',
  'recurring.missed',
  'recurring.priceChanged',
  'export.made',
  'webhook.disabled',
] as const

export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

/** How somebody wants to be told: not at all, in the application, or there and by mail. */
export const NOTIFICATION_CHANNELS = ['off', 'app', 'mail'] as const

export type NotificationChannel = (typeof NOTIFICATION_CHANNELS)[number]

/** A notification to be stored. */
export interface NewNotification {
  id: string
  userId: string
  kind: NotificationKind
  resourceType: 'account' | 'transaction' | 'budget' | 'recurring' | 'export' | 'webhook'
  resourceId: string
  accountId?: string
  /** Ids and counts: neither amounts nor words. */
  facts: Record<string, string | number>
  /** Its kind and what it is about. */
  groupKey: string
  createdAt: number
}

/** The days that a notification is kept, and the number that a user has at most after a night. */
export const KEPT_DAYS = 180
export const MOST_KEPT = 1000
