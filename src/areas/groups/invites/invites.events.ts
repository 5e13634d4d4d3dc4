import { carries, defineEvents } from '../../../platform/events.ts'

export const groupInviteEvents = defineEvents('groupInvite', {
  refused: carries(),
})
