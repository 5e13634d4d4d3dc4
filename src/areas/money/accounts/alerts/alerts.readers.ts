import type { Reader } from '../../../../platform/work/readers.ts'
import { ALERTS } from './alerts.queries.ts'
import { tellAlerts } from './alerts.usecases.ts'

/** Events that move the balance of an account. */
const OF_MONEY = [
  ...['transaction.created', 'transaction.updated', 'transaction.deleted', 'transaction.restored'],
  ...['transaction.erased', 'transaction.splitMatched', 'transaction.splitUnmatched'],
  ...['transfer.matched', 'transfer.unmatched', 'account.balanceAdjusted'],
]

/** Tells those with alerts for accounts what happens there. */
export const accountAlertsReader: Reader = {
  name: ALERTS,
  of: 'listeners',
  types: [...OF_MONEY, 'import.finished', 'import.failed', 'import.reverted'],
  // An import that ended is one event, however many rows it booked or took back.
  leavesOut: OF_MONEY.flatMap((type) => [`imports.commit ${type}`, `imports.revert ${type}`]),
  react: tellAlerts,
}
