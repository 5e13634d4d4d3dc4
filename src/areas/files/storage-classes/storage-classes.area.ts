import type { Area } from '../../area.ts'
import * as storageClasses from './storage-classes.routes.ts'

export const storageClassesArea: Area = {
  tag: 'Storage classes',
  operations: [storageClasses],
}
