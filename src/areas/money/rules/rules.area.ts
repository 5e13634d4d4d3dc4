import type { Area } from '../../area.ts'
import { relabelledRules } from './rules.hooks.ts'
import { ruledTransactions } from './applying/applying.hooks.ts'
import * as rules from './rules.routes.ts'

export const rulesArea: Area = {
  tag: 'Rules',
  operations: [rules],
  hooks: [ruledTransactions, relabelledRules],
}
