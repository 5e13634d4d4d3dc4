import { carries, defineEvents, type Updated } from '../../../../platform/events.ts'

export const accountHistoryEvents = defineEvents('accountHistory', {
  commented: carries<Updated<{ comment: string | null }>>(),
  hidden: carries<Updated<{ hidden: boolean }>>(),
})
