/** The explanations of a difference of a statement, and the values of its file beside the two balances. */
export interface StatementContent {
  causes: { line: number; reason: string; amountMinor: number | null; explainsAll: boolean }[]
  evidence: { name: string; amount: string; date?: string; currency?: string }[]
  /** An interim report checks no balance. */
  isInterim: boolean
  /** The day of the closing balance, where that is not the last one. */
  closingDate?: string
  /** The balance before the first row, by the closing balance. */
  derivedMinor?: number
  /** The days that it tells the whole of; absent where it does not say, and in what was stored before this was. */
  covers?: { from: string; through: string }
}
