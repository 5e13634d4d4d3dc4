import { isCalendarDate } from '../calendar.ts'
import { findCurrency } from '../currency.ts'
import { errorTable } from '../errors.ts'
import { addressPattern } from '../ids.ts'
import { MAX_MONEY_LENGTH, MONEY_PATTERN } from '../money.ts'
import { NAMED_PERIODS, namedPeriod } from '../named-periods.ts'
import { searchKey } from '../search-key.ts'
import {
  type Comparison,
  type Condition,
  CONDITION_FIELDS,
  CONDITION_LIMITS as LIMITS,
  type ConditionField,
  type ConditionOp,
  type ConditionValue,
  type FieldRule,
  fieldRule,
  type MetadataValue,
} from './conditions.ts'

export const conditionErrors = errorTable('conditions', {
  invalid: ['invalid', '{problem}'],
  notInRules: ['invalid', 'Rules cannot ask for {what}. Search for it instead.'],
})

interface Walk {
  isRule: boolean
  comparisons: number
}

/**
 * Reads a condition from outside.
 * @param field the field of the request that holds it
 * @throws AppError `conditions.invalid` with the place of the problem, or `conditions.notInRules`
 */
export function checkCondition(
  value: unknown,
  { field = 'condition', isRule = false }: { field?: string; isRule?: boolean } = {},
): Condition {
  return conditionAt(value, field, 1, { isRule, comparisons: 0 })
}

const refused = (problem: string, field: string) => conditionErrors.invalid({ problem }, { field })

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const SHAPE =
  'A condition is an object with all, any or not alone, or with field, op and the value that the operation takes.'

function conditionAt(value: unknown, place: string, depth: number, walk: Walk): Condition {
  if (!isRecord(value)) {
    throw refused(SHAPE, place)
  }
  if (depth > LIMITS.depth) {
    throw refused(`A condition can have at most ${LIMITS.depth} levels.`, place)
  }
  const [key, ...more] = Object.keys(value)
  if (Object.hasOwn(value, 'field')) {
    return comparisonAt(value, place, walk)
  }
  if (more.length > 0 || (key !== 'all' && key !== 'any' && key !== 'not')) {
    throw refused(SHAPE, place)
  }
  const below = `${place}.${key}`
  if (key === 'not') {
    return { not: conditionAt(value[key], below, depth + 1, walk) }
  }
  const list = value[key]
  if (!Array.isArray(list) || list.length === 0) {
    throw refused(`${key} must be a list of at least one condition.`, below)
  }
  const members = list.map((one, at) => conditionAt(one, `${below}.${at}`, depth + 1, walk))
  return key === 'all' ? { all: members } : { any: members }
}

function comparisonAt(value: Record<string, unknown>, place: string, walk: Walk): Comparison {
  walk.comparisons += 1
  if (walk.comparisons > LIMITS.comparisons) {
    throw refused(`A condition can have at most ${LIMITS.comparisons} comparisons.`, place)
  }
  const unknown = Object.keys(value).find((key) => !['field', 'op', 'value'].includes(key))
  if (unknown !== undefined) {
    throw refused(SHAPE, `${place}.${unknown}`)
  }
  const { field, op } = value
  if (typeof field !== 'string' || !Object.hasOwn(CONDITION_FIELDS, field)) {
    const known = Object.keys(CONDITION_FIELDS).join(', ')
    throw refused(`This field is unknown. The fields are ${known}.`, `${place}.field`)
  }
  const known = field as ConditionField
  const { ops, notInRules } = fieldRule(known)
  if (!ops.includes(op as ConditionOp)) {
    throw refused(`The operations of ${field} are ${ops.join(', ')}.`, `${place}.op`)
  }
  const operation = op as ConditionOp
  if (walk.isRule && (notInRules === 'all' || notInRules?.includes(operation))) {
    const comparison = notInRules === 'all' ? field : `${field} ${operation}`
    throw conditionErrors.notInRules({ what: comparison }, { field: place })
  }
  const valuePlace = `${place}.value`
  if (operation === 'isEmpty') {
    if (value['value'] !== undefined) {
      throw refused('isEmpty takes no value. Use not for the opposite.', valuePlace)
    }
    return { field: known, op: operation }
  }
  return {
    field: known,
    op: operation,
    value: valueAt(known, operation, value['value'], valuePlace),
  }
}

function valueAt(
  field: ConditionField,
  op: ConditionOp,
  value: unknown,
  place: string,
): ConditionValue {
  if (op === 'between') {
    if (!Array.isArray(value) || value.length !== 2) {
      throw refused('between takes a list of two values, both included.', place)
    }
  } else if (op === 'oneOf' || (op === 'within' && Array.isArray(value))) {
    if (!Array.isArray(value) || value.length === 0 || value.length > LIMITS.list) {
      throw refused(`${op} takes a list of 1 to ${LIMITS.list} values.`, place)
    }
  } else {
    return single(field, op, value, place)
  }
  return value.map((one, at) => single(field, op, one, `${place}.${at}`)) as string[]
}

type Problem = (value: unknown, op: ConditionOp, rule: FieldRule) => string | undefined

/** The problem of one value of a field, if it has one. */
const PROBLEMS: Record<Exclude<FieldRule['takes'], 'metadata'>, Problem> = {
  text: (value, op) => {
    if (typeof value !== 'string' || value.length > LIMITS.text) {
      return `The value must be text of at most ${LIMITS.text} characters.`
    }
    const parts = op === 'like' ? value.split('*') : [value]
    if (parts.length > LIMITS.asterisks + 1) {
      return `A pattern can have at most ${LIMITS.asterisks} asterisks.`
    }
    return parts.some((part) => searchKey(part) !== '')
      ? undefined
      : 'The value must contain a letter or a number.'
  },
  amount: (value) =>
    typeof value === 'string' &&
    value.length <= MAX_MONEY_LENGTH &&
    MONEY_PATTERN.test(value) &&
    !value.startsWith('-')
      ? undefined
      : 'The value must be an amount as decimal text without a sign, such as "12.30".',
  date: (value) =>
    typeof value === 'string' && (isCalendarDate(value) || namedPeriod(value))
      ? undefined
      : `The value must be a date, a year, a quarter such as 2026-Q3, a month such as 2026-03, or one of ${NAMED_PERIODS.join(', ')}.`,
  currency: (value) =>
    typeof value === 'string' && findCurrency(value)
      ? undefined
      : 'The value must be the code of a currency, such as "EUR".',
  flag: (value) => (typeof value === 'boolean' ? undefined : 'The value must be true or false.'),
  words: (value, _, rule) => {
    const words = rule.words as readonly string[]
    return words.includes(value as string)
      ? undefined
      : `The value must be one of ${words.join(', ')}.`
  },
  id: (value, _, { prefix }) =>
    typeof value === 'string' && addressPattern(prefix as string).test(value)
      ? undefined
      : `The value must be an id that begins with ${prefix}_.`,
}

function single(field: ConditionField, op: ConditionOp, value: unknown, place: string) {
  const rule = fieldRule(field)
  if (rule.takes === 'metadata') {
    return metadataAt(op, value, place)
  }
  const problem = PROBLEMS[rule.takes](value, op, rule)
  if (problem !== undefined) {
    throw refused(problem, place)
  }
  return value as string | boolean
}

const MOST_OF_METADATA = { key: 200, value: 1000 }

function metadataAt(op: ConditionOp, value: unknown, place: string): MetadataValue {
  const keys = op === 'is' ? ['key', 'value'] : ['key']
  const { key, value: wanted } = isRecord(value) ? value : {}
  const isKey = typeof key === 'string' && key !== '' && key.length <= MOST_OF_METADATA.key
  // JSON can say numbers that are too large to be kept as JSON.
  const isPlain = ['string', 'boolean'].includes(typeof wanted) || Number.isFinite(wanted)
  const text = isPlain ? String(wanted) : undefined
  if (
    !isRecord(value) ||
    !isKey ||
    Object.keys(value).some((one) => !keys.includes(one)) ||
    (op === 'is' && (text === undefined || text.length > MOST_OF_METADATA.value))
  ) {
    throw refused(
      op === 'is'
        ? 'The value must be an object with key and value, which is text, a number or a boolean.'
        : 'The value must be an object with key alone.',
      place,
    )
  }
  return text === undefined || op !== 'is' ? { key } : { key, value: text }
}
