import type { Area } from '../../area.ts'
import * as matching from './matching/matching.routes.ts'
import * as suggestions from './suggestions/suggestions.routes.ts'
import * as transfers from './transfers.routes.ts'

export const transfersArea: Area = {
  tag: 'Transfers',
  operations: [matching, suggestions, transfers],
}
