import {
  checkBalanceAssertions,
  createBalanceAssertion,
  listBalanceAssertions,
} from '../../../src/areas/money/balance-assertions/balance-assertions.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'

type Wanted = Omit<
  NonNullable<NonNullable<Parameters<typeof call<typeof createBalanceAssertion>>[1]>['json']>,
  'accountId'
>

export const tryToAssert = (as: Principal, { id: accountId }: { id: string }, wanted: Wanted) =>
  call(createBalanceAssertion, { as, json: { accountId, ...wanted } })

/** States what an account held. */
export const assert = (as: Principal, { id: accountId }: { id: string }, wanted: Wanted) =>
  ok(createBalanceAssertion, { as, json: { accountId, ...wanted } })

/** The assertions of an account, newest first. */
export const assertionsOf = async (as: Principal, { id: accountId }: { id: string }, query = {}) =>
  (await ok(listBalanceAssertions, { as, query: { accountId, ...query } })).balanceAssertions

/** What became of the assertions of an account. */
export async function checkOf(as: Principal, { id: accountId }: { id: string }) {
  const { accounts } = await ok(checkBalanceAssertions, { as, json: { accountId } })
  const [checked] = accounts
  if (!checked || accounts.length > 1) {
    throw new Error('checkOf: there is no assertion of this account')
  }
  return checked
}
