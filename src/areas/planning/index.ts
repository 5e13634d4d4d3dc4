import type { Area } from '../area.ts'
import { budgetsArea } from './budgets/budgets.area.ts'

/** Areas for planning money. They are ranked: an area may import the public files of those before it. */
export const planning: Area[] = [budgetsArea]
