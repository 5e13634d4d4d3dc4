import { dateReader } from '../bank-files/dates.ts'
import type { Reading } from '../bank-files/format.ts'
import { lastLikelyDay } from '../bank-files/items.ts'
import type { SourceRow } from '../bank-files/source.ts'
import type { Roles } from './roles.ts'
import { shownCell } from './row-values.ts'
import { stateOf } from './words.ts'

const FIRST_LIKELY_DATE = '1970-01-01'

/** Reads the dates and times of rows. */
export class DateColumns {
  readonly #roles: Roles
  readonly #order: Reading['dateOrder']
  /** The heading of the date. */
  readonly #column: string
  readonly #latest: string | undefined
  readonly #anyDay = dateReader('YMD')
  readonly read: ReturnType<typeof dateReader>

  constructor({ dateOrder, year, month, today }: Reading, roles: Roles, column: string) {
    this.#roles = roles
    this.#order = dateOrder
    this.#column = column
    this.#latest = today === undefined ? undefined : lastLikelyDay(today)
    this.read = dateReader(dateOrder ?? 'YMD', { year, month })
  }

  set(row: SourceRow, cells: readonly string[]): void {
    const booked = this.#roles.first(cells, 'date')
    const value = this.#roles.first(cells, 'valueDate')
    // Some banks write that a row is pending where its booking date will be.
    const hasDay = booked !== '' && stateOf(booked) !== 'pending'
    const text = hasDay ? booked : value
    const column = this.#column
    if (text === '') {
      row.errors.push({ code: 'dateMissing', column, message: 'The row has no date.' })
      return
    }
    const found = this.read(text)
    if (!found) {
      const message = `"${shownCell(text)}" is no date${this.#order ? ` in the order ${this.#order}` : ''}.`
      row.errors.push({ code: 'dateInvalid', column, message })
      return
    }
    row.date = found.date
    const clock = found.time ?? this.#timeOf(this.#roles.first(cells, 'time'))
    if (clock !== undefined) {
      row.time = clock
    }
    const isTooLate = this.#latest !== undefined && found.date > this.#latest
    if (found.date < FIRST_LIKELY_DATE || isTooLate) {
      row.warnings.push('dateUnlikely')
    }
    const other = hasDay ? this.read(value) : undefined
    if (other) {
      row.metadata['valueDate'] = other.date
    }
  }

  /** A time in a column of its own is read behind a day that is there for no other reason. */
  #timeOf(text: string): string | undefined {
    return text === '' ? undefined : this.#anyDay(`2000-01-01 ${text}`)?.time
  }
}
