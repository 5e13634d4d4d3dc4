import { type SQL, sql } from 'drizzle-orm'
import { CURRENCIES } from '../../domain/currency.ts'
import type { Kind, Status } from '../../domain/ledger.ts'
import type { SignedIn } from '../../platform/context.ts'
import { among, db } from '../../platform/statements.ts'
import { wideSum } from '../../platform/wide-sums.ts'
import { isNotPrivateEntry, ownedBy, withSeen } from '../../areas/identity/access/access.public.ts'
import { HAS_ATTACHMENT } from '../rows/files.queries.ts'
import { HEADERS, type LedgerRow } from '../rows/rows.queries.ts'
import { hasLabel, transactionIdsWith } from '../labels/labels.queries.ts'
import { periodSums, type PeriodSums, periodTotals, type PeriodTotals } from './periods.queries.ts'
import { boundIn } from '../../domain/conditions/bounds.ts'
import { wordsOf } from './filters.rules.ts'

/** A filter of account lines. All of its conditions must hold. */
export interface LedgerFilter {
  accountId?: string | undefined
  /** Any of these. */
  accountIds?: readonly string[] | undefined
  from?: string | undefined
  to?: string | undefined
  /** Decimal text, for the absolute amount in whatever currency. */
  amountFrom?: string | undefined
  amountTo?: string | undefined
  currency?: string | undefined
  status?: Status | undefined
  kind?: Kind | undefined
  source?: LedgerRow['source'] | undefined
  reviewed?: boolean | undefined
  hasAttachment?: boolean | undefined
  /** Also those below it. */
  categoryId?: string | undefined
  uncategorised?: boolean | undefined
  payeeId?: string | undefined
  tagId?: string | undefined
  importId?: string | undefined
  text?: string | undefined
  metadataKey?: string | undefined
  metadataValue?: string | undefined
}

const present = (condition: SQL, wanted: unknown) => (wanted === undefined ? [] : [condition])

/**
 * The lines of entries `e` and headers `t` that match, as a condition of a statement that has `withSeen`.
 * @param whose in place of all accounts that the caller sees, or of the one that is asked for
 */
export function matching(ctx: SignedIn, filter: LedgerFilter, whose?: SQL): SQL {
  const lead = leadOf(ctx, filter)
  const free = sql.raw(lead ? '+' : '')
  const conditions = [
    ...(saysOfWhole(filter) ? [sql`(e.line <= 2 OR ${WHOLE_IS_SEEN})`] : []),
    ...(lead ? [sql`e.transaction_id IN (${lead})`] : []),
    sql`e.side = 'account' AND ${whose ?? isSeenLine(ctx, filter, free)}`,
    ...byPeriod(filter),
    ...byEntries(filter),
    ...byHeader(ctx, filter),
  ]
  return allOf(conditions)
}

/** Whether a filter asks for what a transaction as a whole says: who sees only the other side of a part cannot find it by that. */
const saysOfWhole = ({ text, source, reviewed, metadataKey, metadataValue, tagId }: LedgerFilter) =>
  [text, source, reviewed, metadataKey, metadataValue, tagId].some((wanted) => wanted !== undefined)

/** Whether the caller sees the account of the whole of which a line `e` is the other side of a part, beside `seen`. */
const WHOLE_IS_SEEN =
  sql.raw(`EXISTS (SELECT 1 FROM entries w WHERE w.transaction_id = e.transaction_id AND w.line = 1
  AND w.account_id IN (SELECT id FROM seen))`)

/** Halved again and again: a row of ANDs is as deep as it is long, and D1 takes no more than a hundred levels. */
function allOf(conditions: SQL[]): SQL {
  const half = Math.ceil(conditions.length / 2)
  return conditions.length < 3
    ? sql.join(conditions, sql` AND `)
    : sql`(${allOf(conditions.slice(0, half))}) AND (${allOf(conditions.slice(half))})`
}

/** @param free a `+` keeps their indexes from being chosen in place of what leads to the lines */
const isSeenLine = (ctx: SignedIn, { accountId }: LedgerFilter, free: SQL) =>
  sql`${free}e.account_id IN (SELECT id FROM seen) AND ${isNotPrivateEntry(ctx)}
    ${accountId === undefined ? sql`` : sql`AND ${free}e.account_id = ${accountId}`}`

/** Whether lines are looked at in the order of their days, of all accounts: each account has its own order. */
export const isWalk = (ctx: SignedIn, filter: LedgerFilter): boolean =>
  filter.accountId === undefined && leadOf(ctx, filter) === undefined

/** All of a caller's own lines stand together in the order of their days. */
export const ofOwnAccounts = (ctx: SignedIn): SQL =>
  sql`${ownedBy(ctx.caller, 'e.owner_id')} AND e.account_id IN (SELECT id FROM seen)`

/** Accounts that the caller sees and somebody else owns, as the table `received`. */
export const receivedAccounts = (ctx: SignedIn): SQL =>
  sql`(SELECT id FROM seen WHERE NOT ${ownedBy(ctx.caller, 'owner_id')}) received`

/** The lines of one account that somebody else shares, by an SQL expression of its id. */
export const ofReceived = (ctx: SignedIn, accountId: SQL): SQL =>
  sql`e.account_id = ${accountId} AND ${isNotPrivateEntry(ctx)}`

/** What an import booked, or the transfers that it is half of by now. */
const bookedBy = (importId: string): SQL =>
  sql`SELECT ifnull(b.matched_into, b.id) FROM transactions b WHERE b.import_id = ${importId}`

/**
 * The transactions of which alone lines are looked at, where what is asked for leads to them. Where both days
 * are named, or nothing else is, lines are looked at in the order of their days instead.
 */
function leadOf(
  ctx: SignedIn,
  { from, to, payeeId, tagId, categoryId, importId, text }: LedgerFilter,
): SQL | undefined {
  if (importId !== undefined) {
    return bookedBy(importId)
  }
  if (from !== undefined && to !== undefined) {
    return undefined
  }
  if (payeeId !== undefined) {
    return transactionIdsWith('payee', payeeId)
  }
  if (tagId !== undefined) {
    return transactionIdsWith('tag', tagId)
  }
  if (categoryId !== undefined) {
    return sql`SELECT c.transaction_id FROM entries c WHERE c.category_id IN (${categoryWithBelow(categoryId)})`
  }
  const words = text === undefined ? [] : wordsOf(text)
  // Shorter ones stand in most rows, and lead nowhere.
  return words.some(({ length }) => length >= LEADING_LETTERS)
    ? sql`SELECT s.id FROM transactions s WHERE s.owner_id IN (SELECT owner_id FROM seen)
        AND ${sql.join(
          words.map((word) => saysWord(word, sql.raw('s.search_text'), sql.raw('s.id'))),
          sql` AND `,
        )}`
    : undefined
}

const LEADING_LETTERS = 3

/** For accounts and days sums are kept: where nothing else is asked for, nothing need be counted. */
export const isByPeriod = (ctx: SignedIn, filter: LedgerFilter) =>
  byEntries(filter).length + byHeader(ctx, filter).length === 0

/** Whether more than a line and its header has to be looked at for each. */
export const isCostly = (filter: LedgerFilter): boolean =>
  [...[filter.categoryId, filter.text, filter.metadataKey, filter.metadataValue]].some(
    (wanted) => wanted !== undefined,
  )

/** Joins the headers, which some filters only need: the others are answered by entries. */
export const headersFor = (ctx: SignedIn, filter: LedgerFilter): SQL =>
  byHeader(ctx, filter).length === 0 ? sql`` : HEADERS

const byPeriod = ({ from, to }: LedgerFilter): SQL[] => [
  ...present(sql`e.date >= ${from}`, from),
  ...present(sql`e.date <= ${to}`, to),
]

function byEntries(filter: LedgerFilter): SQL[] {
  const { accountIds, status, currency, amountFrom, amountTo } = filter
  const { categoryId, uncategorised, payeeId, tagId, importId, hasAttachment } = filter
  return [
    ...(accountIds === undefined ? [] : [sql`+e.account_id IN ${among(accountIds)}`]),
    ...present(sql`e.status = ${status}`, status),
    ...present(sql`e.currency = ${currency}`, currency),
    ...(amountFrom === undefined
      ? []
      : [
          sql`abs(e.amount_minor) >= ${byDigits((digits) => boundIn(digits, amountFrom, 'least'))}`,
        ]),
    ...(amountTo === undefined
      ? []
      : [sql`abs(e.amount_minor) <= ${byDigits((digits) => boundIn(digits, amountTo, 'most'))}`]),
    ...(categoryId === undefined
      ? []
      : [hasPart(sql`+c.category_id IN (${categoryWithBelow(categoryId)})`)]),
    ...(uncategorised === undefined
      ? []
      : [sql`e.uncategorised = ${sql.raw(uncategorised ? '1' : '0')}`]),
    ...(hasAttachment === undefined
      ? []
      : [sql`${HAS_ATTACHMENT} = ${sql.raw(hasAttachment ? '1' : '0')}`]),
    // The other side of a part has no payee, and the tags of the part alone.
    ...(payeeId === undefined ? [] : [sql`e.line <= 2 AND ${hasLabel('payee', payeeId)}`]),
    ...(importId === undefined ? [] : [sql`e.transaction_id IN (${bookedBy(importId)})`]),
    ...(tagId === undefined ? [] : [hasLabel('tag', tagId, sql`(e.line <= 2 OR l.line = e.pair)`)]),
  ]
}

function byHeader(ctx: SignedIn, filter: LedgerFilter): SQL[] {
  const { kind, source, reviewed, text, metadataKey, metadataValue } = filter
  return [
    ...present(sql`iif(e.line <= 2, t.kind, 'transfer') = ${kind}`, kind),
    ...present(sql`t.source = ${source}`, source),
    ...(reviewed === undefined ? [] : [sql`t.reviewed = ${sql.raw(reviewed ? '1' : '0')}`]),
    ...(text === undefined
      ? []
      : wordsOf(text).map((word) =>
          saysWord(word, sql.raw('t.search_text'), sql.raw('e.transaction_id')),
        )),
    ...(metadataKey === undefined && metadataValue === undefined
      ? []
      : [hasMetadata(metadataKey, metadataValue)]),
  ]
}

const codesWith = (digits: number) =>
  CURRENCIES.filter(({ minorDigits }) => minorDigits === digits)
    .map(({ code }) => `'${code}'`)
    .join()

/** Currencies of two minor digits that most amounts are in. */
const USUAL = ['EUR', 'USD', 'GBP']

/**
 * A number for each number of minor digits, as an expression of the currency of an entry `e`. The usual ones are asked
 * for first: for SQLite, to compare with one text takes a tenth of the time of a list.
 */
export const byDigits = (numberFor: (digits: number) => bigint | number): SQL =>
  sql.raw(
    `CASE ${USUAL.map((code) => `WHEN e.currency = '${code}' THEN ${numberFor(2)}`).join(' ')} ${[
      0, 3, 4,
    ]
      .map((digits) => `WHEN e.currency IN (${codesWith(digits)}) THEN ${numberFor(digits)}`)
      .join(' ')} ELSE ${numberFor(2)} END`,
  )

/** Whether the transaction of an entry `e` has such a part `c` in the same account: they stand beside it. */
const hasPart = (condition: SQL) =>
  sql`EXISTS (SELECT 1 FROM entries c WHERE c.transaction_id = e.transaction_id
    AND +c.account_id = e.account_id AND (e.line <= 2 OR c.pair = e.pair) AND ${condition})`

/** A category and all below it, as a SELECT of their ids. */
export const categoryWithBelow = (categoryId: string): SQL =>
  sql`WITH RECURSIVE below(id) AS (SELECT ${categoryId}
      UNION SELECT k.id FROM below JOIN categories k ON k.parent_id = below.id)
    SELECT id FROM below`

/** Whether the words of a transaction, or its payees, have that in them. No pattern: `%` is a letter like others. */
const saysWord = (word: string, searchText: SQL, transactionId: SQL) =>
  sql`(${isIn(searchText, word)} OR ${transactionId} IN (
    SELECT l.transaction_id FROM payees p JOIN transaction_payees l ON l.payee_id = p.id
    WHERE p.owner_id IN (SELECT owner_id FROM seen) AND ${isIn(sql`p.name_key`, word)}))`

/** Compares with both forms of sigma, as the end of a searched part need not be the end of the word. */
const isIn = (folded: SQL, word: string) =>
  /[σς]/.test(word)
    ? sql`instr(replace(${folded}, 'ς', 'σ'), ${word.replaceAll('ς', 'σ')}) > 0`
    : sql`instr(${folded}, ${word}) > 0`

/** The key is compared, never put into a path: no letter of it means anything. */
const hasMetadata = (key: string | undefined, value: string | undefined) =>
  sql`EXISTS (SELECT 1 FROM json_each(t.metadata) m WHERE ${sql.join(
    [
      ...present(sql`m.key = ${key}`, key),
      ...(value === undefined ? [] : [sql`(${sql.join(readingsOf(value), sql` OR `)})`]),
    ],
    sql` AND `,
  )})`

/** Returns the JSON values that a text can stand for: a string, a number written this way, or a boolean. */
const readingsOf = (value: string): SQL[] => [
  sql`m.type = 'text' AND m.value = ${value}`,
  ...(['true', 'false'].includes(value) ? [sql`m.type = ${value}`] : []),
  // Both are read from the same digits by the same reader, so that no rounding comes between them.
  ...(Number.isFinite(Number(value)) && String(Number(value)) === value
    ? [sql`m.type IN ('integer', 'real') AND m.value = json_extract(${value}, '$')`]
    : []),
]

/**
 * The lines that match, as a SELECT of these columns. All own ones of a caller stand together in the order of their
 * days, which is about that of their headers, too: so each header is found next to the one before it.
 */
export function matchingLines(ctx: SignedIn, filter: LedgerFilter, columns: SQL): SQL {
  const lines = (from: SQL, whose?: SQL) =>
    sql`SELECT ${columns} FROM ${from} ${headersFor(ctx, filter)} WHERE ${matching(ctx, filter, whose)}`
  return isWalk(ctx, filter)
    ? sql`${lines(sql`entries e`, ofOwnAccounts(ctx))}
        UNION ALL ${lines(
          sql`${receivedAccounts(ctx)} CROSS JOIN entries e`,
          ofReceived(ctx, sql`received.id`),
        )}`
    : lines(sql`entries e`)
}

/** How many lines match. */
export const ledgerCount = (ctx: SignedIn, filter: LedgerFilter) =>
  isByPeriod(ctx, filter)
    ? periodSums(ctx, filter)
    : db.all<{ count: number }>(
        sql`WITH ${withSeen(ctx)} SELECT count(*) AS count FROM (${matchingLines(ctx, filter, sql`1`)})`,
      )

const SUMMED = sql`e.currency, e.amount_minor, e.status`

const SUMS = sql`count(*) AS count,
  ${wideSum(sql`CASE WHEN amount_minor > 0 AND status <> 'void' THEN amount_minor END`)} AS inflow,
  ${wideSum(sql`CASE WHEN amount_minor < 0 AND status <> 'void' THEN amount_minor END`)} AS outflow`

/** How many lines match, and what they moved; void ones are counted but move nothing. */
export const ledgerSums = (ctx: SignedIn, filter: LedgerFilter) =>
  isByPeriod(ctx, filter)
    ? periodSums(ctx, filter)
    : db.all<PeriodSums>(
        sql`WITH ${withSeen(ctx)} SELECT ${SUMS} FROM (${matchingLines(ctx, filter, SUMMED)})`,
      )

/** The sums of each currency, in the order of their codes. */
export const ledgerTotals = (ctx: SignedIn, filter: LedgerFilter) =>
  isByPeriod(ctx, filter)
    ? periodTotals(ctx, filter)
    : db.all<PeriodTotals>(
        sql`WITH ${withSeen(ctx)} SELECT currency, ${SUMS} FROM (${matchingLines(ctx, filter, SUMMED)})
          GROUP BY currency ORDER BY currency`,
      )
