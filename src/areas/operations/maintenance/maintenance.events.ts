import { carries, defineEvents } from '../../../platform/log/events.ts'

interface Kinds {
  /** The kinds of the tasks that were stored. */
  kinds: string[]
}

export const maintenanceEvents = defineEvents('maintenance', {
  checkRequested: carries<Kinds>(),
  recalculationRequested: carries<Kinds>(),
  purgeRequested: carries<Kinds>(),
})
