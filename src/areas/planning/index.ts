import type { Area } from '../area.ts'
import { budgetsArea } from './budgets/budgets.area.ts'

/** What people plan to do with their money. Ranked: an area may import the public files of those before it. */
export const planning: Area[] = [budgetsArea]
