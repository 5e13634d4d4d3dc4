import type { SourceRow } from '../bank-files/source.ts'
import { joinDistinct, type Roles } from './roles.ts'
import { stateOf, type Summary, summaryOf } from './words.ts'

/** Reads the texts of rows, and what they say of the state of a row. */
export class TextColumns {
  readonly #roles: Roles
  /** The scheme of the bank's ids. */
  readonly #scheme: string
  #statesBalances = false

  constructor(roles: Roles, scheme: string) {
    this.#roles = roles
    this.#scheme = scheme
  }

  set(row: SourceRow, cells: readonly string[]): void {
    const roles = this.#roles
    const set = (field: 'payeeRaw' | 'description' | 'note' | 'counterAccount', text: string) => {
      if (text !== '') {
        row[field] = text
      }
    }
    set('payeeRaw', roles.texts(cells, 'payee')[0] ?? '')
    set('description', joinDistinct(roles.texts(cells, 'description')))
    set('note', joinDistinct(roles.texts(cells, 'note')))
    set('counterAccount', roles.first(cells, 'counterAccount'))
    const category = roles.texts(cells, 'category')
    if (category.length > 0) {
      row.category = category
    }
    row.tags = roles
      .texts(cells, 'tags')
      .flatMap((text) => text.split(/[,;|]/).flatMap((tag) => tag.trim().replace(/^#/, '') || []))
    const id = roles.first(cells, 'bankId')
    if (id !== '') {
      row.bankId = { scheme: this.#scheme, id }
    }
    for (const role of ['reference', 'type'] as const) {
      const text = joinDistinct(roles.texts(cells, role))
      if (text !== '') {
        row.metadata[role] = text
      }
    }
  }

  /** Marks rows that stand in the file and are no bookings, or no booked ones. The row has its date and amount. */
  setState(row: SourceRow, cells: readonly string[]): void {
    const roles = this.#roles
    const state = stateOf(roles.first(cells, 'state'))
    row.pending = state === 'pending' || stateOf(roles.first(cells, 'date')) === 'pending'
    if (state === 'notCompleted') {
      row.ignored = state
      return
    }
    const ofType = roles.texts(cells, 'type').map(summaryOf).find(Boolean)
    const words = [...roles.texts(cells, 'description'), ...roles.texts(cells, 'payee')]
    const summary = ofType ?? [...words, roles.first(cells, 'date')].map(summaryOf).find(Boolean)
    const isDated = row.date !== undefined && row.amount !== undefined
    // No shop is called by a type of rows.
    if (summary && (!isDated || ofType || this.#isNoBooking(summary))) {
      row.ignored = summary === 'total' ? 'turnover' : summary
      this.#statesBalances ||= summary === 'opening' || summary === 'closing'
    }
  }

  /** With a date and an amount, only a balance is none, and a turnover where the file states balances in its rows. */
  #isNoBooking(summary: Summary): boolean {
    return summary === 'turnover' ? this.#statesBalances : summary !== 'total'
  }
}
