import type { CalendarDate } from '../calendar.ts'
import { searchKey } from '../search-key.ts'
import { boundsOf, isAmountWithin, isDateWithin } from './bounds.ts'
import {
  type Comparison,
  type Condition,
  type ConditionOp,
  type MetadataValue,
  valuesOf,
} from './conditions.ts'
import { fits, hasWords, patternOf } from './texts.ts'

/** A transaction as conditions see it, from one of its accounts: a draft or a stored row. */
export interface Subject {
  /** Keys of texts; empty where there is none. */
  texts: Record<'description' | 'payeeRaw' | 'note', string>
  /** Keys of the names of its payees, where searches look for them. */
  payeeNames: readonly string[]
  /** Minor units, with or without their sign. */
  amountMinor: number
  currency: string
  date: CalendarDate
  kind: string
  status: string
  source: string
  accountId: string
  /** The categories of the whole or its parts, as far as they have one. */
  categoryIds: readonly string[]
  /** Payees and tags of the whole and of its parts. */
  payeeIds: readonly string[]
  tagIds: readonly string[]
  /** Whether the whole or a part could have a category and has none. */
  uncategorised: boolean
  reviewed: boolean
  private: boolean
  isSplit: boolean
  hasAttachment: boolean
  importId: string | null
  createdBy: string
  externalId: string | null
  metadata: Readonly<Record<string, unknown>>
}

export type Predicate = (subject: Subject) => boolean

/**
 * Makes a function of a condition: texts and amounts are read once, not for each transaction.
 * @param today what names of periods depend on
 */
export function predicateOf(condition: Condition, today: CalendarDate): Predicate {
  if ('field' in condition) {
    return comparisonHolds(condition, today)
  }
  if ('not' in condition) {
    const member = predicateOf(condition.not, today)
    return (subject) => !member(subject)
  }
  if ('all' in condition) {
    const members = condition.all.map((one) => predicateOf(one, today))
    return (subject) => members.every((member) => member(subject))
  }
  const members = condition.any.map((one) => predicateOf(one, today))
  return (subject) => members.some((member) => member(subject))
}

function comparisonHolds(comparison: Comparison, today: CalendarDate): Predicate {
  const { field, op, value } = comparison
  const values = valuesOf(comparison)
  switch (field) {
    case 'text': {
      const holds = textHolds(op, values)
      return ({ texts, payeeNames }) =>
        [texts.description, texts.payeeRaw, texts.note, ...payeeNames].some(holds)
    }
    case 'description':
    case 'payeeRaw':
    case 'note': {
      const holds = textHolds(op, values)
      return ({ texts }) => holds(texts[field])
    }
    case 'amount': {
      const bounds = boundsOf(op, values)
      return ({ amountMinor, currency }) =>
        bounds.every((bound) => isAmountWithin(bound, amountMinor, currency))
    }
    case 'date': {
      const bounds = boundsOf(op, values)
      return ({ date }) => bounds.every((bound) => isDateWithin(bound, date, today))
    }
    case 'categoryId':
      return op === 'isEmpty'
        ? ({ categoryIds, uncategorised }) => uncategorised || categoryIds.length === 0
        : ({ categoryIds }) => categoryIds.some((id) => values.includes(id))
    case 'payeeId':
      return ({ payeeIds }) => listHolds(op, values, payeeIds)
    case 'tagId':
      return ({ tagIds }) => listHolds(op, values, tagIds)
    case 'metadata':
      return metadataHolds(value as MetadataValue)
    case 'uncategorised':
    case 'reviewed':
    case 'private':
    case 'isSplit':
    case 'hasAttachment':
      return (subject) => subject[field] === value
    default:
      return (subject) => {
        const stored = subject[field]
        return stored === null ? op === 'isEmpty' : values.includes(stored)
      }
  }
}

const listHolds = (op: ConditionOp, values: string[], ids: readonly string[]): boolean =>
  op === 'isEmpty' ? ids.length === 0 : ids.some((id) => values.includes(id))

function textHolds(op: ConditionOp, [text = '']: string[]): (key: string) => boolean {
  const wanted = searchKey(text)
  switch (op) {
    case 'isEmpty':
      return (key) => key === ''
    case 'is':
      return (key) => key === wanted
    case 'contains':
      return (key) => key.includes(wanted)
    case 'word':
      return (key) => hasWords(key, wanted)
    default: {
      const pattern = patternOf(text)
      return (key) => fits(pattern, key)
    }
  }
}

/** Compares the value of a field, or of all fields, with what the list of transactions takes as text, a number or a boolean. */
const metadataHolds =
  ({ key, value }: MetadataValue): Predicate =>
  ({ metadata }) => {
    if (!Object.hasOwn(metadata, key)) {
      return false
    }
    const stored = metadata[key]
    const isScalar = ['string', 'number', 'boolean'].includes(typeof stored)
    return value === undefined || (isScalar && String(stored) === value)
  }
