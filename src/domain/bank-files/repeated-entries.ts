import { hashOf } from './bank-ids.ts'

/** A booking in a bank's message. */
export interface ReportedEntry {
  account: string
  /** The bank's own reference; empty where there is none. */
  reference: string
  date: string | undefined
  amount: string | undefined
  pending: boolean
  /** The position of its statement or report in the file. */
  statement: number
  /** True if `statement` is a report, whose entries a statement repeats. */
  interim: boolean
  /** Since when a report of an account tells all; empty where it does not say so. Absent of all else. */
  since?: string
  /** The text that identifies the entry beside day and amount. */
  text: string
}

/** A report, as far as its entries have passed. */
interface Report {
  statement: number
  /** The hash of all entries so far, in their order. */
  hash: number
}

/** A statement comes after all reports. */
const OF_STATEMENT = Infinity

/**
 * Finds entries of reports that a statement of the same file, or a later report, repeats: by the bank's
 * reference, else by day and amount, each entry of a statement once for each report. A report whose entries another one
 * of the account begins with is repeated as a whole: it was the day so far. That is known only of a whole file.
 */
export class RepeatedEntries {
  /** The position of the last report that has an entry with a reference, by the hash of the reference. */
  readonly #last = new Map<number, number>()
  /** The number of entries in statements by the hash of account, day and amount; `#bare` counts those without a reference. */
  readonly #all = new Map<number, number>()
  readonly #bare = new Map<number, number>()
  readonly #reports: Report[] = []
  /** Hashes of entries that others follow in a report. */
  readonly #begun = new Set<number>()

  /** Counts an entry, in the first pass over the file. */
  note(entry: ReportedEntry): void {
    const { reference, interim, statement, pending } = entry
    this.#noteInReport(entry)
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

  #noteInReport(entry: ReportedEntry): void {
    const { statement, since, account, text } = entry
    if (since === undefined) {
      return
    }
    const last = this.#reports.at(-1)
    const isFirst = last?.statement !== statement
    const before = isFirst ? hashOf(`${account}\n${since}`) : last.hash
    const hash = hashOf(`${before}\n${bookingKey(entry)}\n${text}`)
    if (isFirst) {
      this.#reports.push({ statement, hash })
    } else {
      this.#begun.add(last.hash)
      last.hash = hash
    }
  }

  /** Reports all of whose entries stand at the beginning of another one; of equal ones, all but the last. */
  #repeatedReports(): ReadonlySet<number> {
    const last = new Map(this.#reports.map(({ hash, statement }) => [hash, statement]))
    const repeated = this.#reports.filter(
      ({ hash, statement }) => this.#begun.has(hash) || last.get(hash) !== statement,
    )
    return new Set(repeated.map(({ statement }) => statement))
  }

  /** Starts the second pass. The function tells if an entry is repeated. */
  begin(): (entry: ReportedEntry) => boolean {
    const repeated = this.#repeatedReports()
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
      if (repeated.has(statement)) {
        return true
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

const referenceKey = ({ account, reference }: ReportedEntry) => hashOf(`${account}\n${reference}`)

const bookingKey = ({ account, date, amount }: ReportedEntry) =>
  hashOf([account, date, amount].join('\n'))

const add = (counts: Map<number, number>, key: number) =>
  void counts.set(key, (counts.get(key) ?? 0) + 1)
