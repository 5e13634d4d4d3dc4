import { valuations } from '../../../../drizzle/schema/ledger.ts'
import { listed } from '../../../platform/exports.ts'
import type { OwnedData } from '../../../platform/owned-data.ts'
import { presentValuation } from './valuations.contract.ts'
import { listValuations } from './valuations.usecases.ts'

export const valuationData: OwnedData = {
  area: 'valuations',
  tables: [valuations],
  goWithAccount: [valuations],
  archived: [
    {
      table: valuations,
      owner: [valuations.ownerId],
      order: [valuations.date, valuations.id],
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
