import { type SQL, sql } from 'drizzle-orm'
import { type Bound, boundsOf, minorBound } from '../../domain/conditions/bounds.ts'
import {
  type Comparison,
  comparisonsOf,
  type Condition,
  type ConditionField,
  type ConditionOp,
  type MetadataValue,
  valuesOf,
} from '../../domain/conditions/conditions.ts'
import { longestPart, patternOf } from '../../domain/conditions/texts.ts'
import { searchKey } from '../../domain/search-key.ts'
import { among, isAmong } from '../../platform/database/statements.ts'
import { hasLabel, transactionIdsWith } from '../labels/labels.queries.ts'
import { HAS_ATTACHMENT } from '../rows/attached.queries.ts'
import {
  byDigits,
  categoriesWithBelow,
  hasMetadata,
  hasNoOrigin,
  hasPart,
  joinConditions,
  mayBeAmong,
  MOST_LOOKED_UP,
  PART_OF_LINE,
  transactionsFrom,
  transactionsOfCategories,
} from './comparisons.queries.ts'
import { anyTextSql, hasWords, LETTERS_OF_WORDS, lineSql } from './texts.queries.ts'

// A condition as SQL over an account line `e` and its header `t`, in a statement that has `tablesFor` it. It agrees with
// `domain/conditions/holds.ts`, also where something is NULL: each comparison is true or false.

/** Makes SQL of a condition whose periods are days already. The shape of the statement depends on that of the condition alone. */
export function conditionSql(condition: Condition): SQL {
  if ('field' in condition) {
    return comparisonSql(condition)
  }
  if ('not' in condition) {
    return sql`NOT (${conditionSql(condition.not)})`
  }
  return 'all' in condition
    ? sql`(${joinConditions(condition.all.map(conditionSql))})`
    : sql`(${joinConditions(condition.any.map(conditionSql), sql` OR `)})`
}

/** The fields that only a header has. */
const OF_HEADER: ReadonlySet<ConditionField> = new Set([
  'text',
  'description',
  'payeeRaw',
  'note',
  'kind',
  'source',
  'reviewed',
  'private',
  'importId',
  'recurringId',
  'createdBy',
  'metadata',
])

/** The fields that a transaction says as a whole: whoever sees only the other side of a part does not find it by them. */
const OF_WHOLE: ReadonlySet<ConditionField> = new Set([
  'text',
  'description',
  'payeeRaw',
  'note',
  'source',
  'reviewed',
  'private',
  'isSplit',
  'tagId',
  'createdBy',
  'metadata',
])

const saysAny = (condition: Condition, fields: ReadonlySet<ConditionField>): boolean =>
  comparisonsOf(condition).some(({ field }) => fields.has(field))

export const needsHeader = (condition: Condition): boolean => saysAny(condition, OF_HEADER)

export const saysOfWhole = (condition: Condition): boolean => saysAny(condition, OF_WHOLE)

/** Comparisons of which each must hold: the only one, or those of `all` on the way from the root. */
const required = (condition: Condition): Comparison[] => {
  if ('field' in condition) {
    return [condition]
  }
  return 'all' in condition ? condition.all.flatMap(required) : []
}

type Lead = (comparisons: Comparison[]) => SQL | undefined

const leadOfLabel =
  (field: ConditionField, transactionsOf: (id: string, op: string) => SQL): Lead =>
  (comparisons) => {
    const found = comparisons.find((one) => one.field === field && valuesOf(one).length === 1)
    return found && transactionsOf(valuesOf(found)[0] as string, found.op)
  }

/** In the order in which they are tried. */
const LEADS: Lead[] = [
  leadOfLabel('payeeId', (id) => transactionIdsWith('payee', id)),
  leadOfLabel('tagId', (id) => transactionIdsWith('tag', id)),
  leadOfLabel('categoryId', (id, op) =>
    transactionsOfCategories(op === 'within' ? sql`(${categoriesWithBelow([id])})` : among([id])),
  ),
]

/** True if a condition says the first and the last day. */
export function saysDays(condition: Condition): boolean {
  const relations = required(condition).flatMap((one) =>
    one.field === 'date' ? boundsOf(one.op, valuesOf(one)).map(({ relation }) => relation[0]) : [],
  )
  return relations.includes('<') && relations.includes('>')
}

/** The transactions of an import or of a recurring item, where that leads to lines. */
export function leadOfOrigin(condition: Condition): SQL | undefined {
  const found = required(condition).find(({ field, op }) => field in ORIGINS && op === 'is')
  return (
    found &&
    transactionsFrom(ORIGINS[found.field as keyof typeof ORIGINS], valuesOf(found)[0] as string)
  )
}

const ORIGINS = { importId: 'import_id', recurringId: 'recurring_id' } as const

/** The transactions with a label, where that leads to lines. */
export function leadOfLabels(condition: Condition): SQL | undefined {
  const comparisons = required(condition)
  for (const lead of LEADS) {
    const found = lead(comparisons)
    if (found) {
      return found
    }
  }
  return undefined
}

const TEXTS = new Set<ConditionField>(['text', 'description', 'payeeRaw', 'note'])

/** True if a condition may look at the names of payees, so that its statement needs `withAnnotated`. */
export const looksAtNames = (condition: Condition): boolean => saysAny(condition, TEXTS)

/** The texts that each transaction must contain, or its payee in the name. */
const textsIn = (condition: Condition): string[] =>
  required(condition).flatMap((one) => {
    const texts = TEXTS.has(one.field) ? valuesOf(one) : []
    return one.op === 'like' ? texts.map((text) => longestPart(patternOf(text))) : texts
  })

/**
 * The transactions that contain what each text of a condition must contain, as a SELECT of their ids, up to one more than can be kept;
 * undefined where no words are long enough.
 */
export function transactionsWithWords(condition: Condition): SQL | undefined {
  const texts = textsIn(condition)
  return texts.some((text) => searchKey(text).length >= LETTERS_OF_WORDS)
    ? sql`SELECT s.id FROM transactions s WHERE s.owner_id IN (SELECT owner_id FROM seen) AND ${joinConditions(
        texts.map((text) => hasWords(text, sql.raw('s.search_text'), sql.raw('s.id'))),
      )} LIMIT ${sql.raw(String(MOST_LOOKED_UP + 1))}`
    : undefined
}

/** True if the transaction of a line `e` is in the table `worded`, or if that has too many. */
export const IS_WORDED = mayBeAmong(sql`SELECT id FROM worded`, MOST_LOOKED_UP)

const comparisonSql = (comparison: Comparison): SQL =>
  BY_FIELD[comparison.field](valuesOf(comparison), comparison)

type Reader = (values: readonly string[], comparison: Comparison) => SQL

const ofLine =
  (field: 'description' | 'payeeRaw' | 'note'): Reader =>
  (values, { op }) =>
    lineSql(field, op, values[0])

const ofFlag =
  (column: SQL): Reader =>
  (_, { value }) =>
    sql`${column} = ${sql.raw(value === true ? '1' : '0')}`

const ofWord =
  (column: SQL): Reader =>
  (values) =>
    sql`${column} ${isAmong(values)}`

const ofOrigin =
  (field: keyof typeof ORIGINS): Reader =>
  ([id = ''], { op }) =>
    op === 'isEmpty'
      ? hasNoOrigin(ORIGINS[field])
      : sql`e.transaction_id IN (${transactionsFrom(ORIGINS[field], id)})`

const BY_FIELD: Record<ConditionField, Reader> = {
  text: ([text], { op }) => anyTextSql(op, text),
  description: ofLine('description'),
  payeeRaw: ofLine('payeeRaw'),
  note: ofLine('note'),
  amount: (values, { op }) => joinConditions(boundsOf(op, values).map(amountSql)),
  date: (values, { op }) =>
    joinConditions(
      boundsOf(op, values).map((bound) => sql`e.date ${relationOf(bound)} ${bound.value}`),
    ),
  kind: ofWord(sql`iif(e.line <= 2, t.kind, 'transfer')`),
  status: ofWord(sql`e.status`),
  source: ofWord(sql`t.source`),
  currency: ofWord(sql`e.currency`),
  accountId: ofWord(sql`+e.account_id`),
  categoryId: (values, { op }) => categorySql(op, values),
  payeeId: (values, { op }) => payeeSql(op, values),
  tagId: (values, { op }) =>
    op === 'isEmpty'
      ? sql`NOT ${hasLabel('tag', undefined, TAG_IS_THERE)}`
      : hasLabel('tag', values, TAG_IS_THERE),
  uncategorised: ofFlag(sql`e.uncategorised`),
  reviewed: ofFlag(sql`t.reviewed`),
  private: ofFlag(sql`t.private`),
  isSplit: (values, comparison) => ofFlag(IS_SPLIT)(values, comparison),
  hasAttachment: ofFlag(HAS_ATTACHMENT),
  importId: ofOrigin('importId'),
  recurringId: ofOrigin('recurringId'),
  createdBy: ofWord(sql`t.created_by`),
  externalId: ([id]) => sql`e.external_id IS ${id}`,
  metadata: (_, { value }) => {
    const { key, value: wanted } = value as MetadataValue
    return hasMetadata(key, wanted)
  },
}

const RELATIONS = { '>=': sql`>=`, '<=': sql`<=`, '>': sql`>`, '<': sql`<` }

const relationOf = ({ relation }: Bound): SQL => RELATIONS[relation]

const amountSql = (bound: Bound): SQL =>
  sql`abs(e.amount_minor) ${relationOf(bound)} (${byDigits((digits) => minorBound(bound, digits))})`

/** A tag of the other side of a part is one of that part. */
const TAG_IS_THERE = sql`(e.line <= 2 OR l.line = ${PART_OF_LINE})`

/** Parts are lines outside of the account. A transfer has none: its second line is one of an account. Most have no third line. */
const IS_SPLIT =
  sql.raw(`(e.line = 1 AND EXISTS (SELECT 1 FROM entries c WHERE c.transaction_id = e.transaction_id AND c.line > 2)
  AND (SELECT count(*) > 1 AND NOT max(c.side = 'account') FROM entries c
    WHERE c.transaction_id = e.transaction_id AND c.line > 1 AND c.pair IS NULL))`)

/** With more, it is quicker to read the lines of each transaction. */
const MOST_WITH_CATEGORY = 20_000

function categorySql(op: ConditionOp, ids: readonly string[]): SQL {
  if (op === 'isEmpty') {
    return sql`(e.uncategorised = 1 OR NOT ${hasPart(sql`c.category_id IS NOT NULL`)})`
  }
  const wanted = op === 'within' ? sql`(${categoriesWithBelow(ids)})` : among(ids)
  const found = transactionsOfCategories(wanted)
  return sql`(${mayBeAmong(found, MOST_WITH_CATEGORY)} AND ${hasPart(sql`+c.category_id IN ${wanted}`)})`
}

/** The other side of a part has no payee. */
const payeeSql = (op: ConditionOp, ids: readonly string[]): SQL =>
  op === 'isEmpty'
    ? sql`(e.line > 2 OR NOT ${hasLabel('payee')})`
    : sql`(e.line <= 2 AND ${hasLabel('payee', ids)})`
