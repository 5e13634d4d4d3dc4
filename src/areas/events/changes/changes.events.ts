import { carries, defineEvents } from '../../../platform/log/events.ts'

export const changeEvents = defineEvents('change', {
  /** Its thing is the commit that was undone. */
  undone: carries(),
})
