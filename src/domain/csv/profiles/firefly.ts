import { absoluteDecimal, negateDecimal, sumDecimals } from '../../bank-files/decimals.ts'
import type { SourcePart, SourceRow } from '../../bank-files/source.ts'
import type { RowCombiner } from './profile.ts'

const OWN = new Set(['Asset account', 'Loan', 'Debt', 'Mortgage', 'Cash account'])

type Raw = Record<string, string>
const cell = (raw: Raw, name: string): string => raw[name] ?? ''

/** The own accounts of a record: asset accounts and debts on either side. */
export const fireflyAccounts = (cell: (heading: string) => string): string[] =>
  (['source', 'destination'] as const)
    .filter((side) => OWN.has(cell(`${side}_type`)))
    .map((side) => cell(`${side}_name`))

/** The currency that leaves one own account, and the one that arrives on another. */
export const fireflyCurrencies = (cell: (heading: string) => string): string[] => {
  const left = cell('currency_code')
  return [left, cell('foreign_currency_code') || left]
}

/** The row as one of its accounts sees it. */
function seenFrom(row: SourceRow, side: 'source' | 'destination'): SourceRow {
  const other = side === 'source' ? 'destination' : 'source'
  const amount = absoluteDecimal(row.amount as string)
  const { original: _original, ...common } = row
  const iban = cell(row.raw, `${other}_iban`)
  const payee = cell(row.raw, `${other}_name`)
  return {
    ...common,
    account: cell(row.raw, `${side}_name`),
    amount: side === 'source' ? negateDecimal(amount) : amount,
    ...(payee !== '' && { payeeRaw: payee }),
    ...(iban !== '' && { counterAccount: iban }),
    ...(row.original &&
      side === 'source' && {
        original: { ...row.original, amount: absoluteDecimal(row.original.amount) },
      }),
  }
}

/** Makes the row of the amount that arrives in the currency of the other account. */
function arriving(row: SourceRow): SourceRow {
  const { original } = row
  const seen = seenFrom(row, 'destination')
  return original
    ? { ...seen, amount: absoluteDecimal(original.amount), currency: original.currency }
    : seen
}

/** Both sides of a transfer; of anything else, the side of one's own account. */
function sidesOf(row: SourceRow): SourceRow[] {
  const [isFrom, isTo] = ['source_type', 'destination_type'].map((name) =>
    OWN.has(cell(row.raw, name)),
  )
  const pair = cell(row.raw, 'journal_id')
  if (isFrom && isTo) {
    return [
      {
        ...seenFrom(row, 'source'),
        transfer: { account: cell(row.raw, 'destination_name'), pair },
      },
      { ...arriving(row), transfer: { account: cell(row.raw, 'source_name'), pair } },
    ]
  }
  if (isFrom) {
    return [seenFrom(row, 'source')]
  }
  return [isTo ? seenFrom(row, 'destination') : { ...row, errors: [...row.errors, unknownAccount] }]
}

const unknownAccount = {
  code: 'accountUnknown',
  message: 'Neither side of the row is an asset account.',
} as const

const partOf = (row: SourceRow): SourcePart => ({
  amount: row.amount as string,
  ...(row.description !== undefined && { description: row.description }),
  ...(row.category && { category: row.category }),
  ...(row.tags.length > 0 && { tags: row.tags }),
})

/** One transaction of the rows of a group, where they are of one account. */
function joined(rows: SourceRow[]): SourceRow[] {
  const [first] = rows
  const isSplit = rows.every((row) => row.account === first?.account && row.transfer === undefined)
  if (!first || rows.length === 1 || !isSplit) {
    return rows
  }
  const title = cell(first.raw, 'group_title')
  const { category: _category, ...whole } = first
  return [
    {
      ...whole,
      ...(title !== '' && { description: title }),
      amount: sumDecimals(rows.map(({ amount }) => amount as string)),
      text: rows.map(({ text }) => text).join(' '),
      parts: rows.map(partOf),
      tags: [],
      errors: rows.flatMap(({ errors }) => errors),
    },
  ]
}

/** Rows with two accounts become those of the own ones; rows of a group one transaction. */
export function fireflyRows(): RowCombiner {
  let group = ''
  let open: SourceRow[] = []

  function release(): SourceRow[] {
    const rows = joined(open)
    open = []
    return rows
  }

  return {
    add(row) {
      if (row.amount === undefined) {
        return [...release(), row]
      }
      if (cell(row.raw, 'type') === 'Opening balance') {
        row.ignored = 'opening'
      }
      const id = cell(row.raw, 'group_id')
      const before = id === group && id !== '' ? [] : release()
      group = id
      open.push(...sidesOf(row))
      return before
    },
    end: release,
  }
}
