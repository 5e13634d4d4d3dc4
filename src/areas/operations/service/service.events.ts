import { carries, defineEvents } from '../../../platform/events.ts'

export const platformEvents = defineEvents('platform', {
  purged: carries(),
})
