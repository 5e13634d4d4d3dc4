import { defineEvents, lifecycleOf, carries, type Updated } from '../../../platform/log/events.ts'
import type { ClassContent } from './storage-classes.rules.ts'

export const storageClassEvents = defineEvents('storageClass', lifecycleOf<ClassContent>())

export const groupStorageEvents = defineEvents('group', {
  storageClassSet: carries<Updated<{ storageClassId: string | null }>>(),
})
