import { carries, defineEvents, type Updated } from '../../../../platform/events.ts'

export const groupStorageEvents = defineEvents('group', {
  storageClassSet: carries<Updated<{ storageClassId: string | null }>>(),
})
