/** The ledger that the service and its peer are both given, from the number of each transaction. */

export const TOTAL = Number(process.env['BENCH_TRANSACTIONS'] ?? 100_000)
export const ACCOUNTS = 10

export const MEASURES = [
  'account list',
  'single balance',
  'page of 50, first',
  'page of 50, last',
  'month of one account',
  'filtered search',
  'month of a budget',
  'old insert, then that month',
  'single insert',
  'bulk of 500',
] as const
export type Measure = (typeof MEASURES)[number]

const WORDS = ['Bread', 'Rent', 'Train', 'Coffee', 'Cinema', 'Fuel', 'Books', 'Milk', 'Phone']
const DAY_MS = 24 * 60 * 60 * 1000
const DAYS = 1800

export const dateOf = (n: number): string =>
  new Date(Date.UTC(2021, 11, 1) + (Math.floor(n / ACCOUNTS) % DAYS) * DAY_MS)
    .toISOString()
    .slice(0, 10)

/** Minor units. */
export const amountOf = (n: number): number => (n % 9000) + 1

export const wordsOf = (n: number): string => `${WORDS[n % WORDS.length]} ${n}`

/** Each has an envelope in the budget, with the same amount in each month. */
export const CATEGORIES = 40
export const ASSIGNED = 5_000

/** The months in which anything was booked. */
export const MONTHS = Array.from({ length: 60 }, (_, at) =>
  new Date(Date.UTC(2021, 11 + at, 1)).toISOString().slice(0, 7),
)

/** A month in the middle. */
export const MONTH = { from: '2024-03-01', to: '2024-03-31' }

/** Some 220 of 100,000 rows have it. */
export const SEARCHED = 'cinema 77'
