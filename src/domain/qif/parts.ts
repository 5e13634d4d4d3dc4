import { cleanAmount, decimalUnder } from '../bank-files/amounts.ts'
import {
  decimalsOf,
  fromUnits,
  negateDecimal,
  sumDecimals,
  toUnits,
} from '../bank-files/decimals.ts'
import type { DecimalMark } from '../bank-files/format.ts'
import { put, rowError } from '../bank-files/rows.ts'
import type { SourcePart, SourceRow } from '../bank-files/source.ts'
import { allocate, MAX_MINOR } from '../money.ts'
import type { QifField } from './records.ts'

/** The target that `L` and `S` name: a category or an account, and tags. */
export interface QifTarget {
  category?: string[]
  account?: string
  tags: string[]
}

/** `Food:Out/Holiday` or `[Savings]/Holiday`. */
export function readTarget(text: string): QifTarget {
  const account = /^\[([^\]]*)\]/.exec(text)
  const rest = account ? text.slice(account[0].length) : text
  const [category, ...classes] = rest.split('/') as [string, ...string[]]
  const tags = classes.flatMap((one) => one.split(':')).map((tag) => tag.trim())
  const target: QifTarget = { tags: tags.filter(Boolean) }
  put(target, 'account', account?.[1]?.trim())
  const path = category.split(':').map((name) => name.trim())
  // Records with parts have `--Split--` in place of a category.
  if (path.some(Boolean) && !/^-+split-+$/i.test(category.trim())) {
    target.category = path.filter(Boolean)
  }
  return target
}

/** An amount under the mark of the file. */
export function readMarkedAmount(text: string, mark: DecimalMark): string | undefined {
  const clean = cleanAmount(text)
  const read = clean && decimalUnder(clean, mark)
  return read && 'amount' in read ? read.amount : undefined
}

interface Draft {
  part: SourcePart
  written: string
  percent: string
}

/** The parts of a record, and what is wrong with them; `pairOf` finds what a transfer shares with its other side. */
export function setParts(
  row: SourceRow,
  fields: readonly QifField[],
  { mark, pairOf }: { mark: DecimalMark; pairOf: (account: string, amount: string) => string },
): void {
  const drafts = draftsOf(fields)
  const { amount } = row
  if (drafts.length === 0 || amount === undefined) {
    return
  }
  setAmounts(drafts, amount, mark)
  const malformed = drafts.find(({ part, written }) => part.amount === '' && written !== '')
  if (malformed) {
    row.errors.push(rowError.amountMalformed('$', malformed.written))
    return
  }
  row.parts = drafts.map(({ part }) => ({ ...part, amount: part.amount || '0' }))
  const sum = sumDecimals(row.parts.map((part) => part.amount))
  if (sum !== amount) {
    row.errors.push(rowError.partsDoNotSum('$', sum, amount))
  }
  for (const part of row.parts) {
    if (part.transfer !== undefined) {
      part.pair = pairOf(part.transfer, part.amount)
    }
  }
}

/** Each `S` begins a part. */
function draftsOf(fields: readonly QifField[]): Draft[] {
  const drafts: Draft[] = []
  for (const { code, text } of fields) {
    const last = drafts.at(-1)
    if (code === 'S') {
      const { category, account, tags } = readTarget(text)
      const part: SourcePart = { amount: '' }
      put(part, 'category', category)
      put(part, 'transfer', account)
      put(part, 'tags', tags.length > 0 ? tags : undefined)
      drafts.push({ part, written: '', percent: '' })
    } else if (last && code === 'E') {
      put(last.part, 'description', text)
    } else if (last && code === '$') {
      last.written = text
    } else if (last && code === '%') {
      last.percent = text.replace('%', '')
    }
  }
  return drafts
}

/** Amounts as they are written, and of what is left, the shares of those parts that have a percentage only. */
function setAmounts(drafts: Draft[], amount: string, mark: DecimalMark): void {
  for (const { part, written } of drafts) {
    part.amount = readMarkedAmount(written, mark) ?? ''
  }
  const shares = drafts.filter(({ written, percent }) => written === '' && percent !== '')
  const percents = shares.map(({ percent }) => readMarkedAmount(percent, mark) ?? '0')
  const fixed = sumDecimals(drafts.map(({ part }) => part.amount || '0'))
  const rest = sumDecimals([amount, negateDecimal(fixed)])
  // Not finer than money is.
  const scale = Math.max(2, decimalsOf(rest))
  const weights = unitsOf(percents)
  const units = Number(toUnits(rest, scale))
  const canShare = weights.some((weight) => weight > 0) && weights.every((weight) => weight >= 0)
  if (canShare && Math.abs(units) <= MAX_MINOR) {
    const parts = allocate(units, weights)
    for (const [at, { part }] of shares.entries()) {
      part.amount = fromUnits(BigInt(parts[at] as number), scale)
    }
  }
}

/** Percentages as whole numbers; what is no sensible one is -1. */
function unitsOf(percents: string[]): number[] {
  const scale = Math.max(0, ...percents.map(decimalsOf))
  return percents.map((percent) => {
    const units = Number(toUnits(percent, scale))
    return Number.isSafeInteger(units) ? units : -1
  })
}
