/** What reports are asked of the service and of its peer, and the ten years of income and spending that both have for that. */
import type { Contents } from './books.ts'
import { ACCOUNTS, amountOf } from './ledger-data.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const FIRST = '2016-12-01'
const LAST = '2026-11-30'
const DAYS = (Date.parse(LAST) - Date.parse(FIRST)) / DAY_MS + 1

const EXPENSES = 40
const INCOMES = 3

/** Every account has every category, in about every month; in 2020 there are some 11,000. */
export const TEN_YEARS: Contents = {
  ...{ expenses: EXPENSES, incomes: INCOMES },
  bookedOf: (n) => {
    const at = Math.floor(n / ACCOUNTS)
    return {
      account: n % ACCOUNTS,
      date: new Date(Date.parse(FIRST) + (at % DAYS) * DAY_MS).toISOString().slice(0, 10),
      amount: amountOf(n),
      category: at % (EXPENSES + INCOMES),
      payee: (17 * at + n) % 100,
    }
  },
}

/** The least amount of a condition, in minor units: about half of all are more. */
const LEAST = 4_500

interface Question {
  path: string
  by: 'category' | 'payee'
  from: string
  to: string
  isByMonth: boolean
  /** Only amounts that are more, and what was spent; all if there is none. */
  spentMoreThan: number | undefined
}

const year = { from: '2020-01-01', to: '2020-12-31', isByMonth: false, spentMoreThan: 0 }
const years = { from: FIRST, to: LAST, isByMonth: true }
const span = `from=${FIRST}&to=${LAST}&interval=month`

export const QUESTIONS = {
  'a year by category': { ...year, by: 'category', path: '/report/spending?period=2020' },
  'a year by payee': { ...year, by: 'payee', path: '/report/spending?period=2020&by=payee' },
  'a year by payee, with a condition': {
    ...{ ...year, by: 'payee', spentMoreThan: LEAST },
    path: `/report/spending?period=2020&by=payee&q=${encodeURIComponent(`amount>${LEAST / 100}`)}`,
  },
  'ten years by month and category': {
    ...{ ...years, by: 'category', spentMoreThan: 0 },
    path: `/report/spending?${span}`,
  },
  'income statement of ten years by month': {
    ...{ ...years, by: 'category', spentMoreThan: undefined },
    path: `/report/income-statement?${span}`,
  },
} satisfies Record<string, Question>

export type Asked = keyof typeof QUESTIONS
export const ASKED = Object.keys(QUESTIONS) as Asked[]
export const questionOf = (name: Asked): Question => QUESTIONS[name]

/** What the peer answers. */
export interface PeerAnswer {
  ms: number
  cpuMs: number
  /** Minor units by `2020-12 Category 3`, or by the name alone; what was spent is negative. */
  sums: [key: string, minor: number][]
}
