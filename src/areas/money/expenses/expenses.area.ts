import type { Area } from '../../area.ts'
import * as expenses from './expenses.routes.ts'

export const expensesArea: Area = { tag: 'Expenses', operations: [expenses] }
