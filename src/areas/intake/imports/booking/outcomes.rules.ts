import type { Verdict } from '../../../../domain/imports/verdicts.ts'
import { formatMoney } from '../../../../domain/money.ts'
import { roundedAmount } from '../../../../domain/imports/rows.ts'
import type { Fee } from '../../../../domain/ledger.ts'
import type { LedgerRow } from '../../../../ledger/ledger.public.ts'
import { type DecidedRow, decidedRow, type ReadRow } from '../rows/pieces.rules.ts'

/** The result of a commit on an account. */
export interface AccountOutcome {
  currency: string
  booked: number
  /** The sum of the booked rows; money that leaves is negative. */
  sumMinor: number
  matched: number
}

/** Rows that were left out for one reason. */
export interface LeftOut {
  verdict: Verdict
  reason: string | null
  rows: number
  /** The first lines of the file. */
  lines: number[]
  /** The content of these lines. Imports from before it was kept have none. */
  shown?: LeftOutRow[]
}

/** A row that was left out, as people know it again. */
export interface LeftOutRow {
  line: number
  date: string | null
  payee: string | null
  /** The amount, or the text of the file where it cannot be read. */
  amount: string | null
  /** Null where the amount cannot be read. */
  currency: string | null
}

/** The outcome of all pieces that are done. It is kept longer than their rows. */
export interface ImportOutcome {
  accounts: Record<string, AccountOutcome>
  leftOut: LeftOut[]
  /** How many rows each rule of the import's owner changed. */
  rules: Record<string, number>
}

export const outcomeFrom = (stored: string): ImportOutcome => ({
  accounts: {},
  leftOut: [],
  rules: {},
  ...(JSON.parse(stored) as Partial<ImportOutcome>),
})

/** The maximum number of lines that are listed for each reason. */
const MOST_LINES = 20

/** A row of a piece that is done. */
export interface DoneRow {
  decided: DecidedRow
  verdict: Verdict
  /** The account and the amount that were booked; undefined where nothing was. */
  booked?: { accountId: string; currency: string; minor: number } | undefined
}

/** Adds the transactions that rules changed. */
export function addRules(
  before: ImportOutcome['rules'],
  wholes: { facts?: Record<string, unknown> | undefined }[],
): ImportOutcome['rules'] {
  const rules = { ...before }
  for (const id of wholes.flatMap(({ facts }) => (facts?.['ruleIds'] ?? []) as string[])) {
    rules[id] = (rules[id] ?? 0) + 1
  }
  return rules
}

const MATCHED: ReadonlySet<Verdict> = new Set(['matched', 'updated'])

/** Adds the rows of a piece to what became of those before it. */
export function addOutcome(before: Omit<ImportOutcome, 'rules'>, rows: DoneRow[]) {
  const accounts = { ...before.accounts }
  for (const { verdict, booked } of rows) {
    if (booked) {
      const { accountId, currency } = booked
      const known = accounts[accountId] ?? { currency, booked: 0, sumMinor: 0, matched: 0 }
      const isMatched = MATCHED.has(verdict)
      accounts[accountId] = {
        currency,
        booked: known.booked + (isMatched ? 0 : 1),
        sumMinor: known.sumMinor + (isMatched ? 0 : booked.minor),
        matched: known.matched + (isMatched ? 1 : 0),
      }
    }
  }
  const others = rows.filter(({ booked }) => !booked)
  return { accounts, leftOut: addLeftOut(before.leftOut, leftOutOf(others)) }
}

/** Groups rows that are not booked by their reasons. */
function leftOutOf(rows: DoneRow[]): LeftOut[] {
  const found = new Map<string, LeftOut & { shown: LeftOutRow[] }>()
  for (const { decided, verdict } of rows) {
    const reason = reasonOf(decided, verdict)
    const key = keyOf({ verdict, reason })
    const known = found.get(key) ?? { verdict, reason, rows: 0, lines: [], shown: [] }
    found.set(key, known)
    known.rows += 1
    if (known.lines.length < MOST_LINES) {
      known.lines.push(decided.read.row.source.line)
      known.shown.push(shownRow(decided))
    }
  }
  return [...found.values()]
}

/** Adds rows of a piece that are not booked to those of the pieces before it. */
export function addLeftOut(before: LeftOut[], more: LeftOut[]): LeftOut[] {
  const all = new Map(before.map((one) => [keyOf(one), one]))
  for (const one of more) {
    const { rows = 0, lines = [], shown = [] } = all.get(keyOf(one)) ?? {}
    all.set(keyOf(one), {
      ...one,
      rows: rows + one.rows,
      lines: [...lines, ...one.lines].slice(0, MOST_LINES),
      shown: [...shown, ...(one.shown ?? [])].slice(0, MOST_LINES),
    })
  }
  return [...all.values()]
}

/** Says of rows that came to something else than was decided what that is, for their notes. */
export const notesOfDone = (rows: DoneRow[]): { row: number; found: string }[] =>
  rows.flatMap(({ decided, verdict }) => {
    const { read, note, found } = decided
    const became = { verdict, reason: reasonOf(decided, verdict) }
    return decidedRow(read, note).verdict === verdict
      ? []
      : [{ row: read.row.at + 1, found: JSON.stringify({ ...found, became }) }]
  })

const NEVER_BOOKED: ReadonlySet<Verdict> = new Set(['duplicate', 'ignored', 'error'])

/** Tells what the rows of a piece come to if nobody decides otherwise; null if some of them may be booked or remembered. */
export const foreseenLeftOut = (rows: ReadRow[]): LeftOut[] | null =>
  rows.every(({ found }) => NEVER_BOOKED.has(found.verdict) && !found.remembers)
    ? leftOutOf(rows.map((row) => ({ decided: decidedRow(row), verdict: row.found.verdict })))
    : null

/** The maximum length of a text in a report. */
const MOST_TEXT = 100

const cut = (text: string | undefined): string | null =>
  text === undefined ? null : text.slice(0, MOST_TEXT).toWellFormed()

function shownRow({ read: { row }, overrides }: DecidedRow): LeftOutRow {
  const { line, payeeRaw, description, amount } = row.source
  const { minor, currency } = row
  return {
    line,
    date: overrides.date ?? row.date ?? null,
    payee: cut(payeeRaw ?? description),
    amount: overrides.amount ?? (minor === undefined ? cut(amount) : formatMoney(minor, currency)),
    currency: minor === undefined && overrides.amount === undefined ? null : currency,
  }
}

const keyOf = ({ verdict, reason }: Pick<LeftOut, 'verdict' | 'reason'>) => `${verdict} ${reason}`

/** Returns why a row was left out, or what it became if its verdict changed while it was booked. */
function reasonOf({ verdict: before, reason, read: { row } }: DecidedRow, verdict: Verdict) {
  if (verdict === 'error') {
    return row.errors[0]?.code ?? null
  }
  if (verdict === before) {
    return reason
  }
  if (verdict === 'duplicate') {
    return 'sameRow'
  }
  return verdict === 'ignored' ? 'notWithdrawn' : null
}

/** The two halves of a transfer, each a row of the file or a transaction. */
export interface TransferHalves {
  one: ReadRow | string
  other: ReadRow | string
}

/**
 * The fees that the file tells of a transfer, none where it tells none; undefined where it does not say that both rows are
 * one, or where a row was booked with another amount, so that a difference between them is no fee.
 */
export function statedFees(
  { one, other }: TransferHalves,
  stored: [one: LedgerRow, other: LedgerRow],
  categoryOf: (path: string[]) => string | null,
): Fee[] | undefined {
  if (typeof one === 'string') {
    return undefined
  }
  const rows = [one, ...(typeof other === 'string' ? [] : [other])].map(({ row }) => row)
  const isStated = rows.every(
    ({ source, minor }, at) =>
      source.transfer?.pair !== undefined && minor === stored[at]?.amountMinor,
  )
  if (!isStated) {
    return undefined
  }
  return rows.flatMap(({ source, currency }) =>
    (source.transfer?.fees ?? []).map(({ amount, category, description }) => ({
      amountMinor: roundedAmount(amount, currency).minor ?? 0,
      categoryId: category === undefined ? null : categoryOf(category),
      note: description ?? null,
    })),
  )
}
