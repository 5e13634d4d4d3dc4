import {
  carries,
  type Created,
  defineEvents,
  type Deleted,
  type Updated,
} from '../../../platform/events.ts'
import type { ClassContent } from './storage-classes.rules.ts'

export const storageClassEvents = defineEvents('storageClass', {
  created: carries<Created<ClassContent>>(),
  updated: carries<Updated<ClassContent>>(),
  deleted: carries<Deleted<ClassContent>>(),
})
