import {
  arrayOf,
  type Check,
  currencyText,
  idText,
  mapOf,
  minorUnits,
  objectWith,
  textLike,
} from '../../../domain/stored-values.ts'

/** What the columns of JSON of a lock hold. */
export const lockJson: Record<string, Check> = {
  balances: arrayOf(
    objectWith({
      accountId: idText,
      currency: currencyText,
      balanceMinor: minorUnits,
      reconciledMinor: minorUnits,
    }),
  ),
  seals: mapOf(idText, textLike(/^[0-9a-f]{64}$/)),
}
