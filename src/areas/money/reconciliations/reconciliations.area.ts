import type { Area } from '../../area.ts'
import * as finishing from './finishing/finishing.routes.ts'
import { tickedRows } from './reconciliations.hooks.ts'
import * as reconciliations from './reconciliations.routes.ts'
import * as rows from './rows/rows.routes.ts'

export const reconciliationsArea: Area = {
  tag: 'Reconciliations',
  operations: [reconciliations, rows, finishing],
  hooks: [tickedRows],
}
