import type { Area } from '../../area.ts'
import { namedPayees, meantPayees } from './payees.hooks.ts'
import * as payees from './payees.routes.ts'

export const payeesArea: Area = {
  tag: 'Payees',
  operations: [payees],
  hooks: [namedPayees, meantPayees],
}
