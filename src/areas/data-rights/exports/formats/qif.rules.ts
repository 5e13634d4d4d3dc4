import { formatMoney, negate, sum } from '../../../../domain/money.ts'
import {
  accountName,
  partLines,
  categoryPath,
  type ExportedRow,
  tagNames,
} from '../../../money/transaction-views/transaction-views.public.ts'
import { type Book, type BookAccount, inOneLine, partyOf } from './postings.rules.ts'
import { splitIdOf } from '../../../../domain/ledger-ids.ts'

const TYPES: Record<string, string> = {
  cash: 'Cash',
  checking: 'Bank',
  savings: 'Bank',
  creditCard: 'CCard',
}

const typeOf = ({ type, class: side }: BookAccount): string =>
  TYPES[type] ?? (side === 'asset' ? 'Oth A' : 'Oth L')

/** A text in a field: brackets, slashes and colons mean something in a category. */
const word = (name: string): string =>
  inOneLine(name)
    .replaceAll(':', '\u2236')
    .replaceAll('/', '\u2215')
    .replaceAll('[', '(')
    .replaceAll(']', ')')

const categoryText = (path: readonly string[]): string => path.map(word).join(':')

const accountText = (name: string): string => (name === '' ? '' : `[${word(name)}]`)

const record = (fields: string[]): string => `${[...fields, '^'].join('\n')}\n`

/** Returns the beginning of a file: categories, tags, and all its accounts. */
export function qifHead(book: Book, accounts: readonly BookAccount[]): string {
  const categories = [...book.categories.values()]
    .map(({ path, kind }) => ({ text: categoryText(path), kind }))
    .toSorted((one, other) => (one.text < other.text ? -1 : 1))
  return [
    '!Type:Cat\n',
    ...categories.map(({ text, kind }) => record([`N${text}`, kind === 'expense' ? 'E' : 'I'])),
    '!Type:Tag\n',
    ...[...book.tags.values()].toSorted().map((name) => record([`N${word(name)}`])),
    '!Option:AutoSwitch\n!Account\n',
    ...accounts.map(accountRecord),
    '!Clear:AutoSwitch\n',
  ].join('')
}

const accountRecord = (account: BookAccount): string =>
  record([`N${word(account.name)}`, `T${typeOf(account)}`])

/** Returns the lines before the transactions of an account. */
export const qifSection = (account: BookAccount): string =>
  `!Account\n${accountRecord(account)}!Type:${typeOf(account)}\n`

const MARKS: Record<string, string[]> = { cleared: ['C*'], reconciled: ['CX'] }

/** A transaction as one account sees it; empty for a void one, which the format does not know. */
export function qifRecord(shown: ExportedRow, book: Book): string {
  const { view } = shown
  if (view.status === 'void') {
    return ''
  }
  const [year = '', month = '', day = ''] = view.date.split('-')
  const isOpening = view.kind === 'opening'
  const payee = isOpening ? 'Opening Balance' : inOneLine(partyOf(book, shown))
  const memo = inOneLine(
    [view.description, view.note ?? ''].filter((text) => text !== '').join(' - '),
  )
  return record([
    `D${month}/${day}'${year}`,
    `T${view.signedAmount}`,
    `U${view.signedAmount}`,
    ...(MARKS[view.status] ?? []),
    ...(payee === '' ? [] : [`P${payee}`]),
    ...(memo === '' ? [] : [`M${memo}`]),
    ...targetOf(shown, book, isOpening),
  ])
}

function targetOf(shown: ExportedRow, book: Book, isOpening: boolean): string[] {
  const { row, view } = shown
  const counter = accountText(accountName(book, isOpening ? row.accountId : view.counterAccountId))
  const target =
    view.kind === 'transfer' || isOpening
      ? counter
      : categoryText(categoryPath(book, view.categoryId))
  const parts = partLines(shown)
  const labelled = withTags(target, book, view.tagIds)
  const first = parts.length > 0 && view.kind !== 'transfer' ? '' : labelled
  return [
    ...(first === '' ? [] : [`L${first}`]),
    ...(parts.length > 0 && view.kind === 'transfer'
      ? splitFields(
          counter,
          '',
          sum([row.amountMinor, ...parts.map(({ amountMinor }) => amountMinor)]),
          row.currency,
        )
      : []),
    ...parts.flatMap(({ line, categoryId, note, amountMinor }) => {
      const part = view.splits.find(({ id }) => id === splitIdOf(row.transactionId, line))
      const place = part?.transfer
        ? accountText(accountName(book, part.transfer.accountId))
        : categoryText(categoryPath(book, categoryId))
      return splitFields(
        withTags(place, book, part?.tagIds ?? []),
        note ?? '',
        negate(amountMinor),
        row.currency,
      )
    }),
  ]
}

const withTags = (target: string, book: Book, tagIds: readonly string[]): string => {
  const tags = tagNames(book, tagIds).map(word).join(':')
  return tags === '' ? target : `${target}/${tags}`
}

const splitFields = (place: string, note: string, minor: number, currency: string): string[] => [
  `S${place}`,
  ...(note === '' ? [] : [`E${inOneLine(note)}`]),
  `$${formatMoney(minor, currency)}`,
]
