import { balanceAssertions } from '../../../../drizzle/schema/reconciliation.ts'
import { countOf } from '../../../domain/stored-values.ts'
import { takenAs } from '../../../http/stored-fields.ts'
import { listed } from '../../../platform/owned-data/exports.ts'
import { type OwnedData, ownRows } from '../../../platform/owned-data/owned-data.ts'
import { CreateBalanceAssertionRequest, presentAssertion } from './balance-assertions.contract.ts'
import { listBalanceAssertions } from './balance-assertions.usecases.ts'

/** The most assertions of an account: one for each day of more than a century. */
const MOST_ASSERTIONS = 50_000

export const balanceAssertionData: OwnedData = {
  area: 'balance-assertions',
  tables: [balanceAssertions],
  erase: [
    ownRows('balanceAssertions', balanceAssertions, { wipedWith: ['transactions', 'accounts'] }),
  ],
  goWithAccount: [balanceAssertions],
  archived: [
    {
      table: balanceAssertions,
      prefixes: ['bas'],
      owner: [balanceAssertions.ownerId],
      order: [balanceAssertions.date, balanceAssertions.id],
      users: [balanceAssertions.createdBy],
      holds: {
        ...takenAs(CreateBalanceAssertionRequest, ['note']),
        toleranceMinor: countOf,
      },
      most: [{ rows: MOST_ASSERTIONS, per: [balanceAssertions.accountId] }],
      merge: { with: [balanceAssertions.accountId] },
    },
  ],
  exports: [
    listed(
      'balanceAssertions',
      (owner, page) => listBalanceAssertions(owner, {}, page),
      presentAssertion,
      ({ row }, ownerId) => row.ownerId === ownerId,
    ),
  ],
}
