import type { Context } from '../../platform/context.ts'

/** The findings of one step of a check. */
export interface CheckStep {
  found: string[]
  /** What the next step goes on after; undefined at the end. */
  next: string | undefined
}

/** What an area compares with the ledger whenever the ledger is compared with itself, step by step. */
export interface AreaCheck {
  /** Under which its findings are counted. */
  name: string
  /** @param after empty at the beginning */
  step: (ctx: Context, after: string) => Promise<CheckStep>
}

let registered: readonly AreaCheck[] | undefined

/** Sets the checks of all areas, in the order in which they run. */
export function registerChecks(checks: readonly AreaCheck[]): void {
  registered = checks
}

export function areaChecks(): readonly AreaCheck[] {
  // A comparison that leaves out an area would say that all is well.
  if (!registered) {
    throw new Error('no checks of areas are registered')
  }
  return registered
}
