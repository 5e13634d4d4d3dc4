import { valuations } from '../../../../drizzle/schema/ledger.ts'
import { takenAs } from '../../../http/stored-fields.ts'
import { listed } from '../../../platform/owned-data/exports.ts'
import { type OwnedData, ownRows } from '../../../platform/owned-data/owned-data.ts'
import { CreateValuationRequest, presentValuation } from './valuations.contract.ts'
import { listValuations } from './valuations.usecases.ts'

/** The most valuations of an account, which has one for a day. */
const MOST_VALUATIONS = 50_000

/** A valuation has an adjustment of its own. Erasing one clears all that name it. */
const MOST_OF_ADJUSTMENT = 10

export const valuationData: OwnedData = {
  area: 'valuations',
  tables: [valuations],
  // Without the adjustment that it made, a valuation would tell a value that the account does not have.
  erase: [ownRows('valuations', valuations, { wipedWith: ['transactions', 'accounts'] })],
  goWithAccount: [valuations],
  archived: [
    {
      table: valuations,
      prefixes: ['val'],
      owner: [valuations.ownerId],
      order: [valuations.date, valuations.id],
      holds: takenAs(CreateValuationRequest, ['note']),
      most: [
        { rows: MOST_VALUATIONS, per: [valuations.accountId] },
        {
          rows: MOST_OF_ADJUSTMENT,
          per: [valuations.transactionId],
          counts: (row) => row['transaction_id'] !== null,
        },
      ],
      merge: { with: [valuations.accountId] },
    },
  ],
  exports: [
    listed(
      'valuations',
      (owner, page) => listValuations(owner, {}, page),
      presentValuation,
      (valuation, ownerId) => valuation.ownerId === ownerId,
    ),
  ],
}
