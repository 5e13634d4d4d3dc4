import { coreAfter, coreOf } from '../../../../domain/ids.ts'

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

/** The seals as they are stored. */
export interface StoredSeals {
  seals: Seals
  /** What was added to the ids of transactions since, as a backup was restored under new ids. */
  idShift: bigint
}

const ID_SHIFT = 'idShift'
const ID_BITS = 128

/** @param json of a period lock */
export function storedSeals(json: string): StoredSeals {
  const { [ID_SHIFT]: shift = '', ...seals } = JSON.parse(json) as Seals
  return { seals, idShift: /^\d{1,40}$/.test(shift) ? BigInt(shift) : 0n }
}

/** Seals whose transactions get new ids, with the same number added to each. */
export function shiftSeals(json: string, by: bigint): string {
  const { seals, idShift } = storedSeals(json)
  return JSON.stringify({ ...seals, [ID_SHIFT]: String(BigInt.asUintN(ID_BITS, idShift + by)) })
}

/** What is hashed of a line, whose transaction has the id that it had when it was sealed. */
export function textOf(sealed: SealedLine, idShift: bigint): string {
  const { transactionId, line, date, amountMinor, currency, isVoid } = sealed
  const core = coreOf(transactionId)
  const id =
    idShift === 0n
      ? transactionId
      : `${transactionId.slice(0, -core.length)}${coreAfter(core, -idShift)}`
  return `${id} ${line} ${date} ${amountMinor} ${currency} ${isVoid}\n`
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
