import type { Area } from '../../area.ts'
import * as reference from './reference.routes.ts'

export const referenceArea: Area = { tag: 'Administration', operations: [reference] }
