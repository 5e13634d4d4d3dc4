// The line of text `q` says a condition in one line. `readLine` reads its terms, `namesNeeded` tells what names they refer to, and
// `conditionOf` makes the condition of them once the names are known.

import { AppError, checkAll, errorTable, resultOrRefusal } from '../errors.ts'
import { searchKey } from '../search-key.ts'
import { checkCondition } from './check.ts'
import { type Condition, CONDITION_LIMITS as LIMITS } from './conditions.ts'
import {
  type FieldReader,
  type Labels,
  LINE_FIELDS,
  type LineRelation,
  type LineValue,
  NAME_FIELDS,
  type NameKind,
  readerOf,
  type TermContent,
  textReader,
} from './line-fields.ts'
import { similarNames } from './similar.ts'

const errors = errorTable('search', {
  unknownField: [
    'invalid',
    '{part} has an unknown field. The fields are {fields}. Put text in quotes to search for it.',
  ],
  malformed: ['invalid', '{problem}'],
  unknownName: [
    'invalid',
    '{part}: no {kind} that you see is named {name} or has a name that begins with it.{similar}',
  ],
})

export type { NameKind } from './line-fields.ts'

/** A name that the caller sees. */
export interface VisibleName {
  id: string
  name: string
  /** Its search key. */
  key: string
  /** The parent of a category. */
  parentId?: string | null
}

export type VisibleNames = Record<NameKind, readonly VisibleName[]>

/** A term of a line. */
export interface LineTerm extends TermContent {
  /** The term as it is written. */
  part: string
  isNegated: boolean
}

export interface LineOptions {
  /** The caller, who is `by:me`. */
  userId: string
  /** The field of the request that holds the line. */
  field?: string
  /** True if the condition is for a rule. */
  isRule?: boolean
}

/** The terms of a line as they are written, whether they can be read or not. */
export const termsIn = (line: string): string[] => line.match(/(?:"[^"]*"|\S)+/g) ?? []

/** The most terms of a line. */
export const MOST_TERMS = LIMITS.comparisons

/**
 * Reads the terms of a line.
 * @throws AppError `search.unknownField`, or `search.malformed` with what is possible
 */
export function readLine(line: string, options: LineOptions): LineTerm[] {
  const parts = termsIn(line)
  if (parts.length === 0) {
    throw malformed('Enter at least one word or field.', options)
  }
  const terms = checkAll(...parts.map((part) => () => readTerm(part, options)))
  const comparisons = terms.map(({ conditions, labels }) => conditions.length + (labels ? 1 : 0))
  if (comparisons.reduce((sum, one) => sum + one) > LIMITS.comparisons) {
    throw malformed(
      `The line compares more than ${LIMITS.comparisons} values. Leave some out.`,
      options,
    )
  }
  return terms
}

const quoted = (text: string) => `“${text}”`

const malformed = (problem: string, { field = 'q' }: LineOptions): AppError =>
  errors.malformed({ problem }, { field })

const TERM = /^(?<minus>-?)(?:(?<name>[^":<>]*)(?<relation>:|[<>]=?))?(?<rest>.*)$/s

interface TermParts {
  minus: string
  name?: string
  relation?: LineRelation
  rest: string
}

function readTerm(part: string, options: LineOptions): LineTerm {
  const parts = TERM.exec(part)?.groups as unknown as TermParts
  const reader = parts.name === undefined ? textReader : readerOf(parts.name)
  if (!reader) {
    const gaps = { part: quoted(part), fields: LINE_FIELDS }
    throw errors.unknownField(gaps, { field: options.field ?? 'q' })
  }
  const content = contentOf(parts, reader, options)
  const problem = typeof content === 'string' ? content : problemIn(content.conditions, options)
  if (typeof content === 'string' || problem !== undefined) {
    throw malformed(`${quoted(part)} cannot be read. ${problem}`, options)
  }
  return { part, isNegated: parts.minus === '-', ...content }
}

/** The meaning of a term, or its problem as a sentence. */
function contentOf(
  { name = '', relation, rest }: TermParts,
  reader: FieldReader,
  { userId }: LineOptions,
): TermContent | string {
  const isWord = relation === undefined && !rest.includes('"')
  if (!isWord && !VALUES.test(rest)) {
    return rest.split('"').length % 2 === 0
      ? 'A quotation mark is missing.'
      : 'Write field:value or field:first,second, and quotation marks around a whole text.'
  }
  const values = isWord ? [{ text: rest, isQuoted: false }] : valuesIn(rest)
  const given = relation ?? ':'
  if (given !== ':' && (!ORDERED_FIELDS.test(name) || values.length > 1)) {
    return `Only amount and date take ${given}, with one value.`
  }
  return reader({ relation: given, values, userId })
}

const ORDERED_FIELDS = /^(?:amount|date)$/i

const VALUE = /"[^"]*"|[^",]+/g

const VALUES = new RegExp(`^(?:${VALUE.source})(?:,(?:${VALUE.source}))*$`)

const valuesIn = (text: string): LineValue[] =>
  Array.from(text.matchAll(VALUE), ([value]) =>
    value.startsWith('"')
      ? { text: value.slice(1, -1), isQuoted: true }
      : { text: value, isQuoted: false },
  )

/** The problem that the check of conditions has with one of them. */
function problemIn(conditions: Condition[], { isRule = false }: LineOptions): string | undefined {
  const refusal = conditions
    .map((condition) => resultOrRefusal(() => checkCondition(condition, { isRule })))
    .find((one) => one instanceof AppError)
  return refusal?.message
}

/** The kinds of names that are needed to make the condition of a line. */
export const namesNeeded = (
  terms: LineTerm[],
  { isRule }: Pick<LineOptions, 'isRule'>,
): NameKind[] => [
  ...new Set(
    terms.flatMap(({ labels }) =>
      labels && (labels.names.length > 0 || (isRule && labels.kind === 'category'))
        ? [labels.kind]
        : [],
    ),
  ),
]

/**
 * Makes the condition of a line.
 * @param names all that the caller sees of the kinds that are needed
 * @throws AppError `search.unknownName` with similar names, or `search.malformed` for a name that fits too many
 */
export function conditionOf(
  terms: LineTerm[],
  names: Partial<VisibleNames>,
  options: LineOptions,
): Condition {
  const members = checkAll(...terms.map((term) => () => memberOf(term, names, options)))
  return members.length === 1 ? (members[0] as Condition) : { all: members }
}

function memberOf(
  { part, isNegated, conditions, labels }: LineTerm,
  names: Partial<VisibleNames>,
  options: LineOptions,
): Condition {
  const alternatives = labels
    ? [...conditions, labelCondition(labels, names[labels.kind] ?? [], part, options)]
    : conditions
  const met = alternatives.length === 1 ? (alternatives[0] as Condition) : { any: alternatives }
  if (!isNegated) {
    return met
  }
  return 'not' in met ? met.not : { not: met }
}

function labelCondition(
  { kind, ids, names: wanted }: Labels,
  names: readonly VisibleName[],
  part: string,
  options: LineOptions,
): Condition {
  const found = [...ids, ...wanted.flatMap((name) => idsNamed(name, kind, names, part, options))]
  const isCategory = kind === 'category'
  const expanded = isCategory && options.isRule ? withSubcategories(found, names) : new Set(found)
  if (expanded.size > LIMITS.list) {
    const problem = `${quoted(part)} fits more than ${LIMITS.list} names. Write more of the name.`
    throw malformed(problem, options)
  }
  const op = isCategory && !options.isRule ? 'within' : 'oneOf'
  return { field: NAME_FIELDS[kind], op, value: [...expanded] }
}

/** The ids of all that have exactly this name, else of all whose name begins with it. */
function idsNamed(
  name: string,
  kind: NameKind,
  names: readonly VisibleName[],
  part: string,
  { field = 'q' }: LineOptions,
): string[] {
  const wanted = searchKey(name)
  const same = names.filter(({ key }) => key === wanted)
  const found = same.length > 0 ? same : names.filter(({ key }) => key.startsWith(wanted))
  if (found.length === 0) {
    const similar = similarNames(names, wanted).map(quoted)
    const hint = similar.length === 0 ? '' : ` Similar names: ${similar.join(', ')}.`
    const gaps = { part: quoted(part), kind, name: quoted(name), similar: hint }
    throw errors.unknownName(gaps, { field })
  }
  return found.map(({ id }) => id)
}

/** Categories with all below them: rules do not know `within`. */
function withSubcategories(ids: string[], categories: readonly VisibleName[]): Set<string> {
  const below = Map.groupBy(categories, ({ parentId }) => parentId)
  const found = new Set(ids)
  // A loop over a set also visits members that are added meanwhile.
  for (const id of found) {
    for (const child of below.get(id) ?? []) {
      found.add(child.id)
    }
  }
  return found
}
