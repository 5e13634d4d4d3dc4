import { defineEvents, lifecycleOf } from '../../../platform/events.ts'
import type { ClassContent } from './storage-classes.rules.ts'

export const storageClassEvents = defineEvents('storageClass', lifecycleOf<ClassContent>())
