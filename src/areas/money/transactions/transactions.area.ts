import type { Area } from '../../area.ts'
import { linkedTransactions } from './links/links.hooks.ts'
import * as adjustments from './adjustments/adjustments.routes.ts'
import * as bulk from './bulk/bulk.routes.ts'
import * as duplicates from './duplicates/duplicates.routes.ts'
import * as history from './history/history.routes.ts'
import * as labels from './labels/labels.routes.ts'
import * as links from './links/links.routes.ts'
import { matchedParts } from './matching/matching.hooks.ts'
import * as matching from './matching/matching.routes.ts'
import * as splits from './splits/splits.routes.ts'
import * as transactions from './transactions.routes.ts'

export const transactionsArea: Area = {
  tag: 'Transactions',
  operations: [
    bulk,
    duplicates,
    transactions,
    splits,
    matching,
    history,
    labels,
    links,
    adjustments,
  ],
  hooks: [linkedTransactions, matchedParts],
}
