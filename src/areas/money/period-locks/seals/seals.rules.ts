/** An account line, as a seal covers it. */
export interface SealedLine {
  accountId: string
  currency: string
  transactionId: string
  line: number
  date: string
  amountMinor: number
  isVoid: number
}

/** The seal of each account, by its id: SHA-256 over its lines. */
export type Seals = Record<string, string>

/** What is hashed of a line. */
export const textOf = (sealed: SealedLine): string => {
  const { transactionId, line, date, amountMinor, currency, isVoid } = sealed
  return `${transactionId} ${line} ${date} ${amountMinor} ${currency} ${isVoid}\n`
}

/** What is hashed of the seals of all accounts. */
export const textOfSeals = (seals: Seals): string =>
  Object.entries(seals)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([id, seal]) => `${id} ${seal}\n`)
    .join('')

/** The accounts whose lines are not as they were sealed. */
export const brokenIn = (sealed: Seals, now: Seals): string[] =>
  Object.entries(now).flatMap(([id, seal]) =>
    sealed[id] === undefined || sealed[id] === seal ? [] : [id],
  )
