import type { AreaCheck } from '../../../../ledger/integrity/integrity.public.ts'
import { checkBudgets } from './checks.usecases.ts'

export const budgetCheck: AreaCheck = { name: 'budgets', step: checkBudgets }
