import type { Area } from '../area.ts'
import { budgetsArea } from './budgets/budgets.area.ts'
import { recurringArea } from './recurring/recurring.area.ts'

/** Areas for planning money. They are ranked: an area may import the public files of those before it. */
export const planning: Area[] = [recurringArea, budgetsArea]
