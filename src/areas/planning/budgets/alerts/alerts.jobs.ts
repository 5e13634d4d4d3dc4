import type { Sweep } from '../../../../platform/tasks.ts'
import { watchBudgets } from './watch.usecases.ts'

export const watchBudgetsSweep: Sweep = watchBudgets
