import type { Area } from '../../area.ts'
import { tickedRows } from './reconciliations.hooks.ts'
import * as reconciliations from './reconciliations.routes.ts'

export const reconciliationsArea: Area = {
  tag: 'Reconciliations',
  operations: [reconciliations],
  hooks: [tickedRows],
}
