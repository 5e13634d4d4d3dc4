import { type SQL, sql } from 'drizzle-orm'
import type { ConditionOp } from '../../domain/conditions/conditions.ts'
import { longestPart, type Pattern, patternFor } from '../../domain/conditions/texts.ts'
import { searchKey } from '../../domain/search-key.ts'
import { areFew, joinConditions, MOST_LOOKED_UP } from './comparisons.queries.ts'
import { searchKeyOfPayee } from './names.queries.ts'

// What conditions ask of texts, over the `search_text` of a header `t`: the keys of the description, of the text of the bank and of
// the note, a line each. It is compared as a whole, as most of the time would go into cutting it.

const upTo = (text: string) => `substr(${text}, 1, instr(${text}, char(10)) - 1)`
const after = (text: string) => `substr(${text}, instr(${text}, char(10)) + 1)`

const SEARCHED = 't.search_text'

/** Each line, and what stands before and behind it in a pattern of all three. */
const LINES = {
  description: { key: sql.raw(upTo(SEARCHED)), around: ['', '\n*\n*'] },
  payeeRaw: { key: sql.raw(upTo(after(SEARCHED))), around: ['*\n', '\n*'] },
  note: { key: sql.raw(after(after(SEARCHED))), around: ['*\n*\n', ''] },
} as const

type Line = (typeof LINES)[keyof typeof LINES]

const isIn = (words: string, text: SQL = sql.raw(SEARCHED)): SQL =>
  sql`instr(${text}, ${words}) > 0`

/** True if one line meets the comparison. */
export function lineSql(name: keyof typeof LINES, op: ConditionOp, text = ''): SQL {
  const line = LINES[name]
  const found = anyFits([line], patternFor(op, text))
  return op === 'word' ? sql`(${found} AND ${isWordOf(searchKey(text), line.key)})` : found
}

/** True if one of the lines, or the name of a payee, meets the comparison. */
export function anyTextSql(op: ConditionOp, text = ''): SQL {
  if (op === 'contains') {
    return hasWords(text, sql.raw(SEARCHED), sql.raw('e.transaction_id'))
  }
  const pattern = patternFor(op, text)
  const [found, isNamed] =
    op === 'like'
      ? [anyFits(Object.values(LINES), pattern), (name: SQL) => fitsSql(name, pattern)]
      : [hasWord(searchKey(text)), (name: SQL) => isWordOf(searchKey(text), name)]
  return sql`(${found} OR ${hasPayeeNamed(sql`e.transaction_id`, isNamed)})`
}

const anyOf = (conditions: SQL[]): SQL => sql`(${joinConditions(conditions, sql` OR `)})`

const isWordOf = (words: string, text: SQL) => isIn(` ${words} `, sql`' ' || ${text} || ' '`)

/** True if one of the lines has this key as whole words. Most rows lack it, and most others have blanks around it. */
const hasWord = (key: string) =>
  sql`(${isIn(key)} AND (${isIn(` ${key} `)} OR ${isWordOf(key, WORDS_OF_LINES)}))`

/** All lines in one, with blanks around their ends, so that words of two lines do not follow each other. */
const WORDS_OF_LINES = sql.raw(`replace(${SEARCHED}, char(10), ' ' || char(10) || ' ')`)

/** The bytes of a pattern that D1 takes after GLOB. */
const MOST_BYTES_OF_PATTERN = 50

/**
 * True if a line fits a pattern. No key has an end of a line or a sign in it: where a pattern says both ends of lines, each `*` stays
 * within one of them, and no letter of it means anything else to GLOB.
 */
function anyFits(lines: Line[], pattern: Pattern): SQL {
  const { start, middle, end, isWhole } = pattern
  const ofLine = isWhole ? start : [start, ...middle, end].join('*')
  const globs = lines.map(({ around: [before, behind] }) => before + ofLine + behind)
  if (globs.every((glob) => new TextEncoder().encode(glob).length <= MOST_BYTES_OF_PATTERN)) {
    return anyOf(globs.map((glob) => sql`${sql.raw(SEARCHED)} GLOB ${glob}`))
  }
  // Most rows lack the longest part, and need no closer look.
  return sql`(${isIn(longestPart(pattern))} AND ${anyKey(
    lines.map(({ key }) => key),
    fitsSql(sql.raw('k'), pattern),
  )})`
}

/**
 * The condition for a key to fit a pattern, however long that is. The parts in the middle are found one after the other, each behind
 * the one before it.
 */
function fitsSql(key: SQL, { start, middle, end, isWhole }: Pattern): SQL {
  if (isWhole) {
    return sql`${key} = ${start}`
  }
  const begins = sql`substr(${key}, 1, length(${start})) = ${start}`
  const ends = (rest: SQL) =>
    sql`length(${rest}) >= length(${end}) AND substr(${rest}, length(${rest}) - length(${end}) + 1) = ${end}`
  const behind = sql`substr(${key}, length(${start}) + 1)`
  if (middle.length === 0) {
    return sql`${begins} AND ${ends(behind)}`
  }
  // A JSON text that is bound is parsed once, and a part of it found by its place.
  const part = sql`(${JSON.stringify(middle)} ->> found.at)`
  return sql`${begins} AND EXISTS (
    WITH RECURSIVE found(at, rest) AS (SELECT 0, ${behind}
      UNION ALL SELECT found.at + 1, substr(found.rest, instr(found.rest, ${part}) + length(${part}))
        FROM found WHERE instr(found.rest, ${part}) > 0)
    SELECT 1 FROM found WHERE at = ${middle.length} AND ${ends(sql`rest`)})`
}

/**
 * True if one of these expressions, as `k`, meets the condition. The limit keeps SQLite from compiling the condition once for each
 * of them, with which the largest statements would be longer than D1 takes.
 */
const anyKey = (keys: SQL[], isSo: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM (${sql.join(
    keys.map((key) => sql`SELECT ${key} AS k`),
    sql` UNION ALL `,
  )} LIMIT ${sql.raw(String(keys.length))}) WHERE ${isSo})`

/** Words of so many letters are looked for in the texts of the owner first; shorter ones stand in most texts and names. */
export const LETTERS_OF_WORDS = 3

/** Payees of the owners whose payees the caller knows by name, with the condition for their names. */
const named = (isSo: (key: SQL) => SQL): SQL =>
  sql`p.owner_id IN (SELECT owner_id FROM annotated) AND (${isSo(sql.raw(searchKeyOfPayee('p')))})`

/** True if a transaction has a payee whose name meets the condition. */
const hasPayeeNamed = (transactionId: SQL, isSo: (key: SQL) => SQL): SQL =>
  sql`${transactionId} IN (${labelsOfNamed(isSo)})`

const labelsOfNamed = (isSo: (key: SQL) => SQL): SQL =>
  sql`SELECT l.transaction_id FROM payees p JOIN transaction_payees l ON l.payee_id = p.id WHERE ${named(isSo)}`

/** The same, also where most payees have such a name. */
const hasPayeeOfMany = (transactionId: SQL, isSo: (key: SQL) => SQL): SQL =>
  sql`iif(${areFew(labelsOfNamed(isSo), MOST_LOOKED_UP)}, ${hasPayeeNamed(transactionId, isSo)},
    EXISTS (SELECT 1 FROM transaction_payees l CROSS JOIN payees p ON p.id = l.payee_id
      WHERE l.transaction_id = ${transactionId} AND ${named(isSo)}))`

/** True if these words stand together in a text of a transaction, or in the name of a payee. */
export function hasWords(text: string, searched: SQL, transactionId: SQL): SQL {
  const key = searchKey(text)
  const isNamed = (name: SQL) => isIn(key, name)
  const hasPayee = key.length < LETTERS_OF_WORDS ? hasPayeeOfMany : hasPayeeNamed
  // No key has the end of a line in it.
  return sql`(${isIn(key, searched)} OR ${hasPayee(transactionId, isNamed)})`
}
