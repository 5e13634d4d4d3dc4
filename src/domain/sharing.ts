/** The rights that a user can have on an account, the least first. Each right includes those before it. */
export const RIGHTS = ['view', 'annotate', 'write', 'manage', 'owner'] as const

export type Right = (typeof RIGHTS)[number]

/** 1 for `view` to 5 for `owner`, as the view `account_receivers` counts. */
export const rankOf = (right: Right): number => RIGHTS.indexOf(right) + 1

/** @throws RangeError of a rank that no right has */
export function rightOfRank(rank: number): Right {
  const right = RIGHTS[rank - 1]
  if (right === undefined) {
    throw new RangeError(`rightOfRank: ${rank} is no rank`)
  }
  return right
}
