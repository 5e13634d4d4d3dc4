/** What explains a difference of a statement, and what its file says beside the two balances. */
export interface StatementContent {
  causes: { line: number; reason: string; amountMinor: number | null; explainsAll: boolean }[]
  evidence: { name: string; amount: string; date?: string; currency?: string }[]
  /** An interim report checks no balance. */
  isInterim: boolean
}
