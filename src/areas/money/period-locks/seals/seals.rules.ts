import { stemOf } from '../../../../domain/ids.ts'

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

/**
 * What is hashed of a line. Of the id of its transaction it has the part that stays when a backup is restored under new ids, so
 * that a seal is still one of the same lines then.
 */
const textOf = ({ transactionId, line, date, amountMinor, currency, isVoid }: SealedLine): string =>
  `${stemOf(transactionId)} ${line} ${date} ${amountMinor} ${currency} ${isVoid}\n`

/**
 * The texts that are hashed of one account, as its lines come: by day, transaction and line. Where stems are the same, the texts
 * decide about the order, as renewed ids may have another one.
 */
export class SealedTexts {
  private place = ''
  private tied: string[] = []

  /** Gives what can be hashed now that this line has come. */
  add(line: SealedLine): string[] {
    const place = `${line.date} ${stemOf(line.transactionId)}`
    const ready = place === this.place ? [] : this.end()
    this.place = place
    this.tied.push(textOf(line))
    return ready
  }

  /** Gives what is left. */
  end(): string[] {
    const texts = this.tied.toSorted()
    this.tied = []
    return texts
  }
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
