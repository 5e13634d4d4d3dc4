import type { CalendarDate } from '../calendar.ts'
import { searchKey } from '../search-key.ts'
import { amountWithin, boundsOf, isDateWithin } from './bounds.ts'
import {
  type Comparison,
  type Condition,
  type ConditionField,
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
  /** True if the whole or a part could have a category and has none. */
  uncategorised: boolean
  reviewed: boolean
  private: boolean
  isSplit: boolean
  hasAttachment: boolean
  importId: string | null
  recurringId: string | null
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

const comparisonHolds = (comparison: Comparison): Predicate =>
  BY_FIELD[comparison.field](comparison, valuesOf(comparison))

type Reader = (comparison: Comparison, values: readonly string[]) => Predicate

const ofText =
  (field: keyof Subject['texts']): Reader =>
  ({ op }, values) => {
    const holds = textHolds(op, values)
    return ({ texts }) => holds(texts[field])
  }

const ofWord =
  (field: 'kind' | 'status' | 'source' | 'currency' | 'accountId' | 'createdBy'): Reader =>
  (_, values) =>
  (subject) =>
    values.includes(subject[field])

const ofNullable =
  (field: 'importId' | 'recurringId' | 'externalId'): Reader =>
  ({ op }, values) =>
  (subject) => {
    const stored = subject[field]
    return stored === null ? op === 'isEmpty' : values.includes(stored)
  }

const ofList =
  (field: 'payeeIds' | 'tagIds'): Reader =>
  ({ op }, values) =>
  (subject) => {
    const ids = subject[field]
    return op === 'isEmpty' ? ids.length === 0 : ids.some((id) => values.includes(id))
  }

const ofFlag =
  (field: 'uncategorised' | 'reviewed' | 'private' | 'isSplit' | 'hasAttachment'): Reader =>
  ({ value }) =>
  (subject) =>
    subject[field] === value

const BY_FIELD: Record<ConditionField, Reader> = {
  text: ({ op }, values) => {
    const holds = textHolds(op, values)
    return ({ texts }) => holds(texts.description) || holds(texts.payeeRaw) || holds(texts.note)
  },
  description: ofText('description'),
  payeeRaw: ofText('payeeRaw'),
  note: ofText('note'),
  amount: ({ op }, values) => {
    const isWithin = amountWithin(boundsOf(op, values))
    return ({ amountMinor, currency }) => isWithin(amountMinor, currency)
  },
  date: ({ op }, values) => {
    const bounds = boundsOf(op, values)
    return ({ date }) => bounds.every((bound) => isDateWithin(bound, date))
  },
  kind: ofWord('kind'),
  status: ofWord('status'),
  source: ofWord('source'),
  currency: ofWord('currency'),
  accountId: ofWord('accountId'),
  categoryId: ({ op }, values) =>
    op === 'isEmpty'
      ? ({ categoryIds, uncategorised }) => uncategorised || categoryIds.length === 0
      : ({ categoryIds }) => categoryIds.some((id) => values.includes(id)),
  payeeId: ofList('payeeIds'),
  tagId: ofList('tagIds'),
  uncategorised: ofFlag('uncategorised'),
  reviewed: ofFlag('reviewed'),
  private: ofFlag('private'),
  isSplit: ofFlag('isSplit'),
  hasAttachment: ofFlag('hasAttachment'),
  importId: ofNullable('importId'),
  recurringId: ofNullable('recurringId'),
  createdBy: ofWord('createdBy'),
  externalId: ofNullable('externalId'),
  metadata: ({ value }) => metadataHolds(value as MetadataValue),
}

function textHolds(op: ConditionOp, [text = '']: readonly string[]): (key: string) => boolean {
  const wanted = searchKey(text)
  if (op === 'isEmpty') {
    return (key) => key === ''
  }
  if (op === 'is') {
    return (key) => key === wanted
  }
  if (op === 'contains') {
    return (key) => key.includes(wanted)
  }
  if (op === 'word') {
    return (key) => hasWords(key, wanted)
  }
  const pattern = patternOf(text)
  return (key) => fits(pattern, key)
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
