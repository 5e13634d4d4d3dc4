import {
  type Check,
  currencyText,
  eachOnce,
  hashText,
  idText,
  mapOf,
  minorUnits,
  objectWith,
} from '../../../domain/stored-values.ts'

/**
 * A user may have any number of accounts. So many with their balances and seals are more than the line of an archive has room for,
 * so that no lock of more can be restored as it is.
 */
const MOST_ACCOUNTS = 5000

/** What the columns of JSON of a lock hold: of each account once, also of those that were erased since. */
export const lockJson: Record<string, Check> = {
  balances: eachOnce(
    objectWith({
      accountId: idText,
      currency: currencyText,
      balanceMinor: minorUnits,
      reconciledMinor: minorUnits,
    }),
    MOST_ACCOUNTS,
    'accountId',
  ),
  seals: mapOf(idText, hashText, MOST_ACCOUNTS),
}
