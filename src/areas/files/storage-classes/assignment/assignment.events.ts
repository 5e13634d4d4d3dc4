import { carries, defineEvents, type Updated } from '../../../../platform/events.ts'

export const groupEvents = defineEvents('group', {
  storageClassSet: carries<Updated<{ storageClassId: string | null }>>(),
})
