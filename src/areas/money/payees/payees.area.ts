import type { Area } from '../../area.ts'
import { meantPayees } from './aliases/aliases.hooks.ts'
import * as aliases from './aliases/aliases.routes.ts'
import { namedPayees } from './naming/naming.hooks.ts'
import * as payees from './payees.routes.ts'

export const payeesArea: Area = {
  tag: 'Payees',
  operations: [aliases, payees],
  hooks: [namedPayees, meantPayees],
}
