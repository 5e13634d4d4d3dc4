import { carries, defineEvents, type Updated } from '../../../platform/log/events.ts'
import type { TaskRow } from './queue-tasks.queries.ts'
import type { EndedState } from './queue-tasks.rules.ts'

interface Kind {
  kind: string
}

/** The events of tasks that the platform does not have. */
export const queueTaskEvents = defineEvents('task', {
  /** One that runs was asked to. */
  stopRequested: carries<Kind>(),
  retried: carries<Kind & Updated<Pick<TaskRow, 'state'>>>(),
})

interface Purged {
  olderThanDays: number
  states: EndedState[]
  kinds: string[] | undefined
  purged: number
}

export const purgeEvents = defineEvents('tasks', {
  purged: carries<Purged>(),
})
