import type { Area } from '../../area.ts'
import { bookableAccounts } from './accounts.hooks.ts'
import * as accounts from './accounts.routes.ts'
import * as cards from './cards/cards.routes.ts'
import * as groups from './folders/folders.routes.ts'
import * as history from './history/history.routes.ts'
import * as lifecycle from './lifecycle/lifecycle.routes.ts'

export const accountsArea: Area = {
  tag: 'Accounts',
  operations: [accounts, cards, lifecycle, groups, history],
  hooks: [bookableAccounts],
}
