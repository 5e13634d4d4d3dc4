import type { Area } from '../../area.ts'
import { accountAlertsReader } from './alerts/alerts.readers.ts'
import * as alerts from './alerts/alerts.routes.ts'
import { bookableAccounts } from './accounts.hooks.ts'
import * as accounts from './accounts.routes.ts'
import * as groups from './folders/folders.routes.ts'
import * as history from './history/history.routes.ts'

export const accountsArea: Area = {
  tag: 'Accounts',
  operations: [accounts, alerts, groups, history],
  readers: [accountAlertsReader],
  hooks: [bookableAccounts],
}
