import { carries, defineEvents, type Updated } from '../../../platform/log/events.ts'
import type { Choices } from './settings.rules.ts'

export const settingsEvents = defineEvents('settings', {
  updated: carries<Updated<Choices>>(),
})
