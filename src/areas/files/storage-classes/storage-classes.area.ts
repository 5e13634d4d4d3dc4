import type { Area } from '../../area.ts'
import * as assignment from './assignment/assignment.routes.ts'
import * as storageClasses from './storage-classes.routes.ts'
import * as usage from './usage/usage.routes.ts'

export const storageClassesArea: Area = {
  tag: 'Storage classes',
  operations: [storageClasses, usage, assignment],
}
