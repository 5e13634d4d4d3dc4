import { addressPattern } from '../ids.ts'
import { NAMED_PERIODS, namedPeriod } from '../named-periods.ts'
import { searchKey } from '../search-key.ts'
import {
  type Comparison,
  type Condition,
  CONDITION_FIELDS,
  type ConditionField,
  type ConditionOp,
  fieldRule,
} from './conditions.ts'

/** A value in a line. Words such as `none` and `me` are only meant without quotes. */
export interface LineValue {
  text: string
  isQuoted: boolean
}

export type LineRelation = ':' | '>' | '>=' | '<' | '<='

interface FieldReading {
  relation: LineRelation
  /** At least one, and only one if the relation is not a colon. */
  values: LineValue[]
  userId: string
}

/** The meaning of a term: one of these conditions holds, or its label is one of those. */
export interface TermContent {
  conditions: Condition[]
  labels?: Labels
}

/** Accounts, payees, categories or tags by their ids and names. */
export interface Labels {
  kind: NameKind
  ids: string[]
  names: string[]
}

/** Reads the values of a field. Returns the problem as a sentence if they do not fit. */
export type FieldReader = (reading: FieldReading) => TermContent | string

/** The fields that take names, each with the field of the condition. */
export const NAME_FIELDS = {
  account: 'accountId',
  payee: 'payeeId',
  category: 'categoryId',
  tag: 'tagId',
} as const satisfies Record<string, ConditionField>

/** Something that a line can name. */
export type NameKind = keyof typeof NAME_FIELDS

const isWord = ({ text, isQuoted }: LineValue, word: string) =>
  !isQuoted && text.toLowerCase() === word

/** Reads names and ids. */
const labels =
  (kind: NameKind): FieldReader =>
  ({ values }) => {
    const field = NAME_FIELDS[kind]
    const { prefix } = CONDITION_FIELDS[field]
    const canBeEmpty = fieldRule(field).ops.includes('isEmpty')
    const isNone = (value: LineValue) => canBeEmpty && isWord(value, 'none')
    const texts = values.filter((value) => !isNone(value)).map(({ text }) => text)
    if (texts.some((text) => searchKey(text) === '')) {
      return `A name of ${kind} must contain a letter or a number.`
    }
    const isId = (text: string) => addressPattern(prefix).test(text)
    const ids = texts.filter(isId)
    const names = texts.filter((text) => !isId(text))
    return {
      conditions: values.some(isNone) ? [{ field, op: 'isEmpty' }] : [],
      ...(texts.length === 0 ? {} : { labels: { kind, ids, names } }),
    }
  }

/** Makes a condition of each value. */
const each =
  (conditionOf: (value: LineValue, reading: FieldReading) => Condition): FieldReader =>
  (reading) => ({ conditions: reading.values.map((value) => conditionOf(value, reading)) })

const containing = (field: ConditionField) =>
  each(({ text }) => ({ field, op: 'contains', value: text }))

const choice =
  (field: ConditionField, fold: (text: string) => string): FieldReader =>
  ({ values }) => {
    const words = values.map(({ text }) => fold(text))
    const [word] = words as [string]
    return {
      conditions: [
        words.length === 1
          ? { field, op: 'is', value: word }
          : { field, op: 'oneOf', value: words },
      ],
    }
  }

const oneOfThese =
  (table: Record<string, Condition>): FieldReader =>
  ({ values }) => {
    const known = new Map(Object.entries(table))
    const conditions = values.flatMap(({ text }) => known.get(text.toLowerCase()) ?? [])
    return conditions.length === values.length
      ? { conditions }
      : `The value must be one of ${Object.keys(table).join(', ')}.`
  }

const isTrue = (field: ConditionField): Condition => ({ field, op: 'is', value: true })

const isThere = (field: ConditionField): Condition => ({ not: { field, op: 'isEmpty' } })

const BOUNDS = {
  '>': 'above',
  '>=': 'from',
  '<': 'below',
  '<=': 'to',
} as const satisfies Record<Exclude<LineRelation, ':'>, ConditionOp>

const ordered = (
  field: ConditionField,
  fold: (text: string) => string,
  equal: (value: string) => Comparison,
) =>
  each(({ text }, { relation }) => {
    if (relation !== ':') {
      return { field, op: BOUNDS[relation], value: fold(text) }
    }
    const bounds = text.split('..').map(fold)
    return bounds.length === 2 ? { field, op: 'between', value: bounds } : equal(fold(text))
  })

/** The name of a period as it is known, in whatever case it is written. */
const foldPeriod = (text: string): string =>
  NAMED_PERIODS.find((name) => name.toLowerCase() === text.toLowerCase()) ?? text.toUpperCase()

/** A month, a quarter or a year becomes its days. The name of a period stays relative to the day of each search. */
function onDate(value: string): Comparison {
  const period = NAMED_PERIODS.includes(value) ? undefined : namedPeriod(value)
  if (!period) {
    return { field: 'date', op: 'is', value }
  }
  // These periods are the same on every day.
  const { from, to } = period('1900-01-01')
  return { field: 'date', op: 'between', value: [from, to] }
}

const asIs = (text: string) => text
const lowerCase = (text: string) => text.toLowerCase()
const upperCase = (text: string) => text.toUpperCase()

/** A field of the metadata: a text, or any value for `*`. */
const metadata = (key: string) =>
  each((value) =>
    isWord(value, '*')
      ? { field: 'metadata', op: 'exists', value: { key } }
      : { field: 'metadata', op: 'is', value: { key, value: value.text } },
  )

/** The fields of a line. */
const FIELDS: Record<string, FieldReader> = {
  account: labels('account'),
  payee: labels('payee'),
  category: labels('category'),
  tag: labels('tag'),
  amount: ordered('amount', asIs, (value) => ({ field: 'amount', op: 'is', value })),
  date: ordered('date', foldPeriod, onDate),
  kind: choice('kind', lowerCase),
  status: choice('status', lowerCase),
  source: choice('source', lowerCase),
  currency: choice('currency', upperCase),
  description: containing('description'),
  raw: containing('payeeRaw'),
  note: containing('note'),
  is: oneOfThese({
    reviewed: isTrue('reviewed'),
    private: isTrue('private'),
    split: isTrue('isSplit'),
    uncategorised: isTrue('uncategorised'),
  }),
  has: oneOfThese({
    attachment: isTrue('hasAttachment'),
    note: isThere('note'),
    payee: isThere('payeeId'),
    tag: isThere('tagId'),
    category: isThere('categoryId'),
  }),
  by: each((value, { userId }) => ({
    field: 'createdBy',
    op: 'is',
    value: isWord(value, 'me') ? userId : value.text,
  })),
}

const METADATA = /^meta\.(?<key>.+)$/is

/** The fields that a line can have, for errors. */
export const LINE_FIELDS = [...Object.keys(FIELDS), 'meta.key'].join(', ')

/** Reads a word, or text in quotes. */
export const textReader = containing('text')

/** The reader of a field, in whatever case it is written. */
export function readerOf(name: string): FieldReader | undefined {
  const key = METADATA.exec(name)?.groups?.['key']
  if (key !== undefined) {
    return metadata(key)
  }
  const field = name.toLowerCase()
  return Object.hasOwn(FIELDS, field) ? FIELDS[field] : undefined
}
