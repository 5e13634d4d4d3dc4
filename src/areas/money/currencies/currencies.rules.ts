interface Used {
  base: string
  /** In the order of the user. */
  chosen: string[]
  inUse: string[]
}

/** Every currency that a user works with, once: the chosen ones first, the others by code. */
export const ownOrder = ({ base, chosen, inUse }: Used): string[] => [
  ...new Set([...chosen, ...[...inUse, base].toSorted()]),
]

/** Returns the position at which the list repeats a currency. */
export function repeatedAt(codes: string[]): number | undefined {
  const at = codes.findIndex((code, index) => codes.indexOf(code) < index)
  return at === -1 ? undefined : at
}
