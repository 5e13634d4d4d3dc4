import { addDays } from '../../../../domain/calendar.ts'
import { formatMoney } from '../../../../domain/money.ts'
import {
  type ExportedRow,
  tagNames,
} from '../../../money/transaction-views/transaction-views.public.ts'
import type { Declared, NamingRules, PlaceNames, Price } from './journals.rules.ts'
import { postingsOf, type Book, inOneLine, partyOf, type StatedBalance } from './postings.rules.ts'

/** A part of the name of an account: letters, digits and hyphens, of which the first is a capital letter or a digit. */
export function beancountPart(name: string): string {
  const plain = name
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{Nd}-]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
  return /^[\p{Lu}\p{Nd}]/u.test(plain) ? plain : `X${plain}`
}

export const BEANCOUNT_NAMING: NamingRules = { part: beancountPart, suffix: (count) => `-${count}` }

const quoted = (text: string): string =>
  `"${inOneLine(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

export const beancountHead = (book: Book, baseCurrency: string): string =>
  `; scope: ${inOneLine(book.scope)}\n\noption "title" "Coffer"\noption "operating_currency" "${baseCurrency}"\n\n`

/** Opens the account of a name on the day that it is used for the first time. */
export function openDirective(
  declared: Declared,
  date: string,
  currency: string | undefined,
): string {
  const { id, name, original } = declared
  return [
    `${date} open ${name}${currency === undefined ? '' : ` ${currency}`}\n`,
    ...(id === null ? [] : [`  id: "${id}"\n`, `  name: ${quoted(original)}\n`]),
  ].join('')
}

const isTag = (name: string): boolean => /^[A-Za-z0-9_/.-]+$/.test(name)

/** A transaction with all that is exported of it, and the places that it uses. */
export function beancountEntry(
  shown: ExportedRow,
  book: Book,
  names: PlaceNames,
): { text: string; used: string[] } {
  const { row, view } = shown
  const postings = postingsOf(row, book)
  const own = postings.filter(({ place }) => place.of === 'account')
  const isVoid = own.length > 0 && own.every(({ status }) => status === 'void')
  const flag = own.some(({ status }) => status === 'pending') ? '!' : '*'
  const tags = tagNames(book, view.tagIds)
  const others = tags.filter((tag) => !isTag(tag))
  const head = [
    `${row.date} ${flag}`,
    quoted(partyOf(book, shown)),
    quoted(view.description || view.kind),
    ...tags.filter(isTag).map((tag) => `#${tag}`),
    ...(book.links.get(row.transactionId) ?? []).map((id) => `^${id}`),
  ].join(' ')
  const lines = [
    head,
    `  id: "${row.transactionId}"`,
    ...(others.length > 0 ? [`  tags: ${quoted(others.join(', '))}`] : []),
    ...postings.map(({ place, minor, currency, cost }) => {
      const total = cost ? ` @@ ${formatMoney(cost.minor, cost.currency)} ${cost.currency}` : ''
      return `  ${names(place)}  ${formatMoney(minor, currency)} ${currency}${total}`
    }),
  ]
  return {
    text: `${lines.map((line) => (isVoid ? `; void: ${line}\n` : `${line}\n`)).join('')}\n`,
    used: isVoid ? [] : postings.map(({ place }) => names(place)),
  }
}

/** A balance assertion, which holds at the beginning of its day. */
export function beancountBalance(
  { id, accountId, through, amountMinor, toleranceMinor, currency }: StatedBalance,
  names: PlaceNames,
): { text: string; name: string; date: string } {
  const name = names({ of: 'account', id: accountId })
  const date = addDays(through, 1)
  const within = toleranceMinor > 0 ? ` ~ ${formatMoney(toleranceMinor, currency)}` : ''
  const amount = `${formatMoney(amountMinor, currency)}${within} ${currency}`
  return { text: `${date} balance ${name} ${amount}\n  id: "${id}"\n\n`, name, date }
}

export const beancountPrice = ({ date, from, to, rate }: Price): string =>
  `${date} price ${from} ${rate} ${to}\n`
