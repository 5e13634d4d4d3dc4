import { expect, it } from 'vitest'
import { isJournal } from '../../../src/domain/bank-files/journals.ts'

it.each([
  ['hledger', '; household\n\n2026-03-01 Bakery\n    expenses:food   4.20 EUR\n    assets:cash\n'],
  ['ledger, with a second date', '2026/03/01=2026/03/02 * Bakery\n    expenses:food  4.20\n'],
  ['beancount', '2026-03-01 * "Bakery" ""\n  Expenses:Food  4.20 EUR\n'],
  ['notes in between', '2026-03-01 Bakery\n    ; fresh\n    expenses:food   4.20 EUR\n'],
])('knows a journal of %s', (_, text) => {
  expect(isJournal(text)).toBe(true)
})

it.each([
  ['rows of CSV', '2026-03-01,Bakery,-4.20\n2026-03-02,Cinema,-9.00\n'],
  ['lines of a log', '2026-03-01 started\n2026-03-02 stopped\n'],
  ['a text with nothing booked', '2026-03-01 Dear diary\n    nothing happened'],
  ['nothing', ''],
])('takes %s for none', (_, text) => {
  expect(isJournal(text)).toBe(false)
})
