import { hashOf } from './bank-ids.ts'

/** A booking that a bank's message tells of. */
export interface ToldEntry {
  account: string
  /** The bank's own reference; empty where there is none. */
  reference: string
  date: string | undefined
  amount: string | undefined
  pending: boolean
  /** The position of its statement or report in the file. */
  statement: number
  /** Whether that is a report, whose entries a statement tells of again. */
  interim: boolean
}

/** A statement comes after all reports. */
const OF_STATEMENT = Infinity

/**
 * Finds entries of reports that a statement of the same file, or a later report, tells of again: by the bank's
 * reference, else by day and amount, each entry of a statement once for each report. That is known only of a whole file.
 */
export class ToldAgain {
  /** Of the hash of a reference, where it is told of last. */
  readonly #last = new Map<number, number>()
  /** Of the hash of account, day and amount, how many entries statements have, and of those without a reference. */
  readonly #all = new Map<number, number>()
  readonly #bare = new Map<number, number>()

  /** Counts an entry, in the first pass over the file. */
  note(entry: ToldEntry): void {
    const { reference, interim, statement, pending } = entry
    if (reference !== '') {
      const last = interim ? statement : OF_STATEMENT
      const key = referenceKey(entry)
      this.#last.set(key, Math.max(this.#last.get(key) ?? 0, last))
    }
    if (!interim && !pending) {
      add(this.#all, bookingKey(entry))
      if (reference === '') {
        add(this.#bare, bookingKey(entry))
      }
    }
  }

  /** Starts the second pass: says of each entry whether it is told of again. */
  begin(): (entry: ToldEntry) => boolean {
    let report = -1
    let taken = new Map<number, number>()
    const takeFrom = (counts: ReadonlyMap<number, number>, key: number) => {
      add(taken, key)
      return (taken.get(key) as number) <= (counts.get(key) ?? 0)
    }
    return (entry) => {
      const { interim, reference, statement } = entry
      if (!interim) {
        return false
      }
      if (statement !== report) {
        report = statement
        taken = new Map()
      }
      if (reference === '') {
        return takeFrom(this.#all, bookingKey(entry))
      }
      const last = this.#last.get(referenceKey(entry)) as number
      return last > statement || takeFrom(this.#bare, bookingKey(entry))
    }
  }
}

const referenceKey = ({ account, reference }: ToldEntry) => hashOf(`${account}\n${reference}`)

const bookingKey = ({ account, date, amount }: ToldEntry) =>
  hashOf([account, date, amount].join('\n'))

const add = (counts: Map<number, number>, key: number) =>
  void counts.set(key, (counts.get(key) ?? 0) + 1)
