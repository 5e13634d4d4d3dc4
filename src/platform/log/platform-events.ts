import type { tasks } from '../../../drizzle/schema/system.ts'
import { carries, defineEvents, type Updated } from './events.ts'

type State = Pick<typeof tasks.$inferSelect, 'state'>

export const taskEvents = defineEvents('task', {
  cancelled: carries<{ kind: string } & Updated<State>>(),
  failed: carries<{ error: string }>(),
  lost: carries(),
  /** The queue gave up delivering it. */
  undelivered: carries(),
})

/** Their thing is the cron expression. */
export const scheduleEvents = defineEvents('tasks', {
  scheduled: carries<{ kinds: string[] }>(),
})

/** Their thing is the name of the reader. */
export const readerEvents = defineEvents('reader', {
  failed: carries<{ event: string; error: string }>(),
  /** It failed as often as it may. */
  skipped: carries<{ event: string; error: string }>(),
})

export const mailEvents = defineEvents('mail', {
  sent: carries<{ template: string }>(),
  /** It stood where a mail would be, and went to nobody. */
  dropped: carries(),
})

export const secretEvents = defineEvents('secrets', {
  resealed: carries<{ records: number }>(),
  /** Every sealed record opens, and is under the newest key. */
  checked: carries(),
})

export const fileEvents = defineEvents('file', {
  downloaded: carries(),
})
