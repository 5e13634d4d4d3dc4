import type { Area } from '../../area.ts'
import * as changes from './changes.routes.ts'

export const changesArea: Area = { tag: 'Changes', operations: [changes] }
