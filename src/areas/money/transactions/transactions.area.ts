import type { Area } from '../../area.ts'
import { linkedTransactions } from './links/links.hooks.ts'
import * as bulk from './bulk/bulk.routes.ts'
import * as duplicates from './duplicates/duplicates.routes.ts'
import * as links from './links/links.routes.ts'
import { matchedParts } from './matching/matching.hooks.ts'
import * as splits from './splits/splits.routes.ts'
import * as transactions from './transactions.routes.ts'

export const transactionsArea: Area = {
  tag: 'Transactions',
  operations: [bulk, duplicates, transactions, splits, links],
  hooks: [linkedTransactions, matchedParts],
}
