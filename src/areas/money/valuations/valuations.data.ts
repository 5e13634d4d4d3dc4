import { valuations } from '../../../../drizzle/schema/ledger.ts'
import { takenAs } from '../../../http/stored-fields.ts'
import { listed } from '../../../platform/exports.ts'
import { type OwnedData, ownRows } from '../../../platform/owned-data.ts'
import { CreateValuationRequest, presentValuation } from './valuations.contract.ts'
import { listValuations } from './valuations.usecases.ts'

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
