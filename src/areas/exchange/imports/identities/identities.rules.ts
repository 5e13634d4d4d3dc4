/** The identity of a row while it is pending. */
export interface HeldRow {
  identity: string
  bankKey: string | null
  date: string
  amountMinor: number
  balanceMinor: number | null
  transactionId: string
  importId: string
}
