import { carries, defineEvents } from '../../../platform/log/events.ts'

export const platformEvents = defineEvents('platform', {
  purged: carries(),
})
