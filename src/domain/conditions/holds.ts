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
import { withDates } from './dates.ts'
import { fits, hasWords, patternOf } from './texts.ts'

/** A transaction as conditions see it, from one of its accounts: a draft or a stored row. */
export interface Subject {
  /** Keys of texts; empty where there is none. */
  texts: Record<'description' | 'payeeRaw' | 'note', string>
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
 * Makes a function of a condition: texts and bounds are read once, not for each transaction. `within` finds the categories that
 * it names alone, as their subcategories are not known here.
 * @param today what names of periods depend on
 */
export const predicateOf = (condition: Condition, today: CalendarDate): Predicate =>
  holdsFor(withDates(condition, today))

function holdsFor(condition: Condition): Predicate {
  if ('field' in condition) {
    return comparisonHolds(condition)
  }
  if ('not' in condition) {
    const member = holdsFor(condition.not)
    return (subject) => !member(subject)
  }
  if ('all' in condition) {
    const members = condition.all.map(holdsFor)
    return (subject) => members.every((member) => member(subject))
  }
  const members = condition.any.map(holdsFor)
  return (subject) => members.some((member) => member(subject))
}

function comparisonHolds(comparison: Comparison): Predicate {
  const { field, op, value } = comparison
  const values = valuesOf(comparison)
  switch (field) {
    case 'text': {
      const holds = textHolds(op, values)
      return ({ texts }) => [texts.description, texts.payeeRaw, texts.note].some(holds)
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
      return ({ date }) => bounds.every((bound) => isDateWithin(bound, date))
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

const listHolds = (op: ConditionOp, values: readonly string[], ids: readonly string[]): boolean =>
  op === 'isEmpty' ? ids.length === 0 : ids.some((id) => values.includes(id))

function textHolds(op: ConditionOp, [text = '']: readonly string[]): (key: string) => boolean {
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

/** A value of metadata is compared as the text that it is written as in JSON; an object or a list is no value. */
const metadataHolds =
  ({ key, value }: MetadataValue): Predicate =>
  ({ metadata }) =>
    Object.entries(metadata).some(
      ([name, stored]) =>
        (key === undefined || name === key) &&
        (value === undefined ||
          (['string', 'number', 'boolean'].includes(typeof stored) && String(stored) === value)),
    )
