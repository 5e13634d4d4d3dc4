import type { Question } from '../../../../domain/bank-files/format.ts'
import type { Mapping } from '../imports.rules.ts'

/** How a file of the user was read, and for which account; null for any. */
export interface Habit {
  accountId: string | null
  mapping: Pick<Mapping, 'dateOrder' | 'decimal' | 'sign'>
}

/** What the answers of a user are likely to be like. */
export interface Habits {
  /** Imports that are done, the newest first. */
  imports: Habit[]
  profiles: Habit[]
  locale: string
}

const SUGGESTED = ['dateOrder', 'decimal', 'sign'] as const

type Suggested = (typeof SUGGESTED)[number]

const isSuggested = (key: Question['key']): key is Suggested => SUGGESTED.includes(key as Suggested)

/**
 * Adds what earlier imports on the same accounts, then profiles, and then the locale say to questions that suggest nothing.
 * Profiles of other accounts say nothing of the sign: it is a matter of the account.
 */
export const withSuggestions = (
  questions: Question[],
  accountIds: ReadonlySet<string>,
  { imports, profiles, locale }: Habits,
): Question[] =>
  questions.map((question) => {
    const { key, options, suggestion } = question
    if (!isSuggested(key) || suggestion !== undefined) {
      return question
    }
    const isOfAccount = ({ accountId }: Habit) => accountId !== null && accountIds.has(accountId)
    const found = [
      ...[...imports.filter(isOfAccount), ...profiles.filter(isOfAccount)],
      ...(key === 'sign' ? [] : profiles.filter((one) => !isOfAccount(one))),
    ].map(({ mapping }) => mapping[key])
    const said = [...found, ...(key === 'sign' ? [] : [byLocale[key](locale)])]
    const [best] = said.flatMap((one) => (one !== undefined && options.includes(one) ? [one] : []))
    return best === undefined ? question : { ...question, suggestion: best }
  })

const byLocale = {
  dateOrder: (locale: string): Mapping['dateOrder'] => {
    const { language, region } = new Intl.Locale(locale)
    // English is written in both orders, and is what users have who have chosen nothing.
    if (language === 'en' && region === undefined) {
      return undefined
    }
    const parts = new Intl.DateTimeFormat(locale).formatToParts()
    const order = parts.flatMap(({ type }) => ORDER_LETTERS[type] ?? []).join('')
    return ORDERS.find((one) => one === order)
  },
  decimal: (locale: string): Mapping['decimal'] => {
    const parts = new Intl.NumberFormat(locale).formatToParts(1.5)
    return parts.some(({ value }) => value === ',') ? ',' : '.'
  },
}

const ORDERS = ['YMD', 'DMY', 'MDY'] as const
const ORDER_LETTERS: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {
  ...{ year: 'Y', month: 'M', day: 'D' },
}
