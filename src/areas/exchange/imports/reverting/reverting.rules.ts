/** Lines of the transactions of one commit. */
export const MOST_LINES = 20_000
/** How many of what stays is told. */
export const MOST_KEPT = 1000

export interface RevertInput {
  dryRun?: boolean | undefined
  edited?: 'keep' | 'remove' | undefined
  force?: boolean | undefined
}

export type Choice = Pick<RevertInput, 'edited' | 'force'>

/** What a revert has done so far. */
export interface Reverted {
  removed: number
  restored: number
  kept: { id: string; reason: string }[]
  /** The last transaction that was looked at. */
  after?: string | null
}
