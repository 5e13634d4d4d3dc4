export { budgetIsSeenBy } from './budgets.queries.ts'
