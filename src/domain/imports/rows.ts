import type { FormatKey } from '../bank-files/format.ts'
import type {
  RowError,
  RowErrorCode,
  RowWarning,
  SourcePart,
  SourceRow,
} from '../bank-files/source.ts'
import { joinedTexts } from '../bank-files/rows.ts'
import { findCurrency } from '../currency.ts'
import { MAX_PARTS } from '../ledger.ts'
import { divideHalfEven, MAX_MINOR, MONEY_PATTERN } from '../money.ts'

/** The own account that a name of the file is mapped to. */
export interface TargetAccount {
  id: string
  currency: string
}

/** A row of a file with its amounts in the minor units of its account's currency. */
export interface SettledRow {
  /** The position among all rows of the file, from 0. */
  at: number
  accountId: string
  currency: string
  /** Absent only where the row has errors or is ignored. */
  date?: string
  /**
   * Absent only where the row has errors or is ignored. Rows that have too many decimals have the rounded amount, which
   * only the check of statements uses.
   */
  minor?: number
  balanceMinor?: number
  /** The amounts of `source.parts`, in their order. */
  partMinors: number[]
  /** The amount of `source.original`, in the minor units of its own currency. */
  originalMinor?: number
  /** The own account on the other side, where the source says that the row is a transfer. */
  transferAccountId?: string
  /** The own accounts on the other side of parts, where the source says that a part is a transfer. */
  partAccountIds?: (string | undefined)[]
  /** The payee that the row resolves to, if any. */
  payeeId?: string
  ignored?: SourceRow['ignored']
  errors: RowError[]
  warnings: RowWarning[]
  source: SourceRow
}

/** A row that can be booked. */
export type BookableRow = SettledRow & { date: string; minor: number }

export const isBookable = (row: SettledRow): row is BookableRow =>
  row.ignored === undefined && row.errors.length === 0

/** Formats whose amounts may have more decimals than the currency: of investment cash, and of plans in thousandths. */
const ROUNDED: readonly FormatKey[] = ['ofx', 'camt', 'mt940', 'ynab']
/** A number of so many digits is exact, and within the bounds of money. */
const SAFE_DIGITS = 15
/** Longer amounts are no money, and reading them would take long. */
const MAX_LENGTH = 64

interface Amount {
  text: string
  minor?: number
  isRounded?: true
  error?: keyof typeof AMOUNT_ERRORS
}

/**
 * Settles a row in the currency of the account that it belongs to. Trailing zeros are dropped; other decimals that the
 * currency does not have are rounded half to even in OFX, CAMT, MT940 and YNAB, and an error in other formats. Parts of
 * zero are left out, and what a single part says is said of the row.
 */
export function settleRow(
  given: SourceRow,
  at: number,
  account: TargetAccount,
  format: FormatKey,
): SettledRow {
  const { currency } = account
  const source = withUsableParts(given, currency)
  const isRounding = ROUNDED.includes(format)
  const amount = source.amount === undefined ? undefined : roundedAmount(source.amount, currency)
  const parts = source.parts.map((part) => roundedAmount(part.amount, currency))
  const balance = source.balance === undefined ? undefined : roundedAmount(source.balance, currency)
  const original =
    source.original && roundedAmount(source.original.amount, source.original.currency)
  const all = [...(amount ? [amount] : []), ...parts]
  const isRounded = isRounding && all.some((one) => one.isRounded)
  const isZeroNow = amount?.isRounded === true && amount.minor === 0
  const ignored = source.ignored ?? (isRounded && isZeroNow ? 'zero' : undefined)
  const partMinors = isRounded ? closed(parts, amount?.minor) : parts.map(({ minor = 0 }) => minor)
  const row: SettledRow = {
    at,
    accountId: account.id,
    currency,
    partMinors,
    errors:
      ignored === undefined
        ? errorsOf(source, account, all, { isRounding, minor: amount?.minor, partMinors })
        : source.errors,
    warnings:
      isRounded && !source.warnings.includes('amountRounded')
        ? [...source.warnings, 'amountRounded']
        : source.warnings,
    source,
  }
  // One object for each row: there may be very many.
  if (source.date !== undefined) {
    row.date = source.date
  }
  if (amount?.minor !== undefined) {
    row.minor = amount.minor
  }
  if (balance?.minor !== undefined) {
    row.balanceMinor = balance.minor
  }
  if (original?.minor !== undefined) {
    row.originalMinor = original.minor
  }
  if (ignored !== undefined) {
    row.ignored = ignored
  }
  return row
}

function withUsableParts(source: SourceRow, currency: string): SourceRow {
  const parts = source.parts.filter(({ amount }) => roundedAmount(amount, currency).minor !== 0)
  const [only, ...others] = parts
  if (only === undefined || others.length > 0) {
    return parts.length === source.parts.length ? source : { ...source, parts }
  }
  // A part that is not the whole row is an error of it.
  const isWhole =
    source.amount !== undefined &&
    roundedAmount(source.amount, currency).minor === roundedAmount(only.amount, currency).minor
  return isWhole ? { ...source, parts: [], ...saidBy(only, source) } : { ...source, parts }
}

/** Returns the fields that a part sets on its row when it is the whole of the row. */
function saidBy(part: SourcePart, row: SourceRow): Partial<SourceRow> {
  const { category, transfer, pair, tags = [] } = part
  const description = joinedTexts(row.description, part.description)
  return {
    tags: [...new Set([...row.tags, ...tags])],
    ...(description === '' ? {} : { description }),
    ...(category === undefined ? {} : { category }),
    ...(transfer === undefined
      ? {}
      : { transfer: { account: transfer, ...(pair === undefined ? {} : { pair }) } }),
  }
}

function errorsOf(
  source: SourceRow,
  { currency }: TargetAccount,
  amounts: Amount[],
  settled: { isRounding: boolean; minor: number | undefined; partMinors: number[] },
): RowError[] {
  const { isRounding, minor, partMinors } = settled
  const found = new Map<RowErrorCode, string>()
  // The reader knows better why a value is missing: it names the column and the cell.
  const hasError = source.errors.length > 0
  if (source.date === undefined && !hasError) {
    found.set('dateMissing', 'The row has no date.')
  }
  if (source.amount === undefined && !hasError) {
    found.set('amountMissing', 'The row has no amount.')
  }
  if (source.currency !== undefined && source.currency !== currency) {
    const message = `The row is in ${cut(source.currency)}, but its account is in ${currency}.`
    found.set('currencyMismatch', message)
  }
  for (const { text, error, isRounded } of amounts) {
    if (error !== undefined) {
      found.set(error, `The amount "${cut(text)}" ${AMOUNT_ERRORS[error]}.`)
    } else if (isRounded && !isRounding) {
      const message = `The amount "${cut(text)}" has more decimals than ${currency} has.`
      found.set('money.tooManyDigits', message)
    }
  }
  const total = partMinors.reduce((sum, part) => sum + BigInt(part), 0n)
  const isWhole = found.size === 0 && minor !== undefined && partMinors.length > 0
  if (isWhole && total !== BigInt(minor)) {
    found.set('partsDoNotSum', 'The parts do not add up to the amount of the row.')
  }
  if (partMinors.length > MAX_PARTS) {
    const message = `The row has ${partMinors.length} parts, but a transaction has at most ${MAX_PARTS}. Decide \`book\` to book it without them.`
    found.set('tooManyParts', message)
  }
  for (const { code } of source.errors) {
    found.delete(code)
  }
  return [...source.errors, ...[...found].map(([code, message]) => ({ code, message }))]
}

const AMOUNT_ERRORS = {
  'money.malformed': 'is no decimal number',
  'money.outOfRange': 'is too large',
}

/** At most the first 100 characters of a cell. */
const cut = (cell: string) => cell.slice(0, 100)

/** The minor units that a decimal text says, rounded where it has more decimals than the currency. */
export function roundedAmount(text: string, currency: string): Amount {
  const digits = findCurrency(currency)?.minorDigits
  if (digits === undefined || text.length > MAX_LENGTH || !MONEY_PATTERN.test(text)) {
    return { text, error: 'money.malformed' }
  }
  const [whole, all = ''] = text.split('.') as [string, string?]
  const decimals = all.replace(/0+$/, '')
  const excess = decimals.length - digits
  if (excess <= 0 && whole.length + digits <= SAFE_DIGITS) {
    // Minus zero is zero.
    return { text, minor: Number(whole + decimals.padEnd(digits, '0')) || 0 }
  }
  const units = BigInt(whole + (excess > 0 ? decimals : decimals.padEnd(digits, '0')))
  const rounded = excess > 0 ? divideHalfEven(units, 10n ** BigInt(excess)) : units
  const isTooLarge = rounded > BigInt(MAX_MINOR) || rounded < -BigInt(MAX_MINOR)
  if (isTooLarge) {
    return { text, error: 'money.outOfRange' }
  }
  return { text, minor: Number(rounded), ...(excess > 0 ? { isRounded: true } : {}) }
}

/** Rounded parts that add up to the rounded amount: the last one takes what rounding left over. */
function closed(parts: Amount[], total = 0): number[] {
  const minors = parts.map(({ minor = 0 }) => minor)
  const [last] = minors.slice(-1)
  if (last === undefined) {
    return []
  }
  const rest = total - minors.reduce((sum, minor) => sum + minor, 0)
  return Math.abs(rest) < minors.length ? [...minors.slice(0, -1), last + rest] : minors
}
