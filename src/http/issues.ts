import type { Issue } from '../domain/errors.ts'

// The messages about mistakes in a request, in our own words: a release contains none of the schema library's, and
// people read them.

/** The kinds of problems that schemas find; docs/errors.md says what each means. */
export type IssueCode =
  | 'required'
  | 'type'
  | 'format'
  | 'choice'
  | 'range'
  | 'length'
  | 'repeated'
  | 'combination'
  | 'unknown'

/**
 * The message of a `refine` that fails: the end of a sentence that begins with the field, such as `must be a time of
 * day such as 08:30`. The `regex` of a schema has it as its message.
 */
export const must = (predicate: string, code: IssueCode = 'format') => ({
  error: predicate,
  params: { code },
})

/** True if a parameter of a query is a whole number within bounds. */
export const isWithin = (least: number, most: number) => (text: string) =>
  /^(?:0|[1-9]\d{0,14})$/.test(text) && Number(text) >= least && Number(text) <= most

/** The message for an invalid rate. */
export const RATE_FORM =
  'must be a positive decimal number as text with at most 12 decimals, such as "1.0842"'

/** Errors on the routes of administrators hold nothing but texts. */
export const tellsIssues = (path: string): boolean => !path.startsWith('/admin/')

/** A problem as zod tells it. */
export interface SchemaIssue {
  code?: string | undefined
  path: PropertyKey[]
  message: string
  expected?: unknown
  origin?: unknown
  minimum?: unknown
  maximum?: unknown
  exact?: unknown
  keys?: string[]
  values?: unknown[]
  params?: { code?: IssueCode } | undefined
  /** The issues of each option of a union. */
  errors?: SchemaIssue[][]
}

/** The most issues in an answer; a request can have a hundred thousand. */
export const MOST_ISSUES = 50

/** Says what zod found, each as a sentence, in the order of the fields of the schema. */
export function issuesOf(found: SchemaIssue[], target: string, sent: unknown): Issue[] {
  const request = { target, sent }
  return found
    .slice(0, MOST_ISSUES)
    .flatMap((issue) => tell(issue, request))
    .slice(0, MOST_ISSUES)
}

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** A day, a month or a point in time; what else is called so, such as the currencies of a rate, has no order. */
const isTime = (value: unknown): value is string | number =>
  typeof value === 'number' || (typeof value === 'string' && /^\d{4}-\d\d/.test(value))

/** The names of the two ends of spans: of days, of days beside currencies, of months, and of points in time. */
export const SPANS = [
  ['from', 'to'],
  ['fromDate', 'toDate'],
  ['fromMonth', 'toMonth'],
  ['since', 'until'],
] as const

/** The spans of a request, also of a filter in its body, that end before they begin. */
export function reversedSpans(valid: unknown, path: string[] = []): Issue[] {
  if (!isFields(valid)) {
    return []
  }
  const reversed = SPANS.flatMap(([first, last]): Issue[] => {
    const [from, to] = [valid[first], valid[last]]
    const field = [...path, last].join('.')
    return isTime(from) && isTime(to) && from > to
      ? [{ field, code: 'range', message: `${field} must not be before ${first}.` }]
      : []
  })
  return [...reversed, ...(path.length === 0 ? reversedSpans(valid['filter'], ['filter']) : [])]
}

interface Request {
  /** Part of the request: `json`, `query`, `param`. */
  target: string
  sent: unknown
}

function sentence(
  path: PropertyKey[],
  code: IssueCode,
  predicate: string,
  request: Request,
): Issue {
  if (path.length === 0) {
    return {
      code,
      message: `${request.target === 'json' ? 'The body' : 'The query'} ${predicate}.`,
    }
  }
  const field = path.map(String).join('.')
  return { field, code, message: `${field} ${predicate}.` }
}

function tell(issue: SchemaIssue, request: Request): Issue[] {
  const { path, keys = [], errors } = issue
  if (issue.code === 'unrecognized_keys') {
    const predicate = request.target === 'json' ? 'is not a field here' : 'is not a parameter here'
    return keys.map((key) => sentence([...path, key.slice(0, 100)], 'unknown', predicate, request))
  }
  const options = issue.code === 'invalid_union' ? (errors ?? []) : []
  const types = options.flatMap(([one]) =>
    one?.code === 'invalid_type' && one.path.length === 0 ? [typeNamed(one.expected)] : [],
  )
  if (types.length > 1 && types.length === options.length) {
    return tell({ ...issue, code: 'invalid_type', expected: types.join(' or ') }, request)
  }
  const ofLastOption = options.at(-1)
  if (ofLastOption) {
    return ofLastOption.flatMap((inner) =>
      tell({ ...inner, path: [...path, ...inner.path] }, request),
    )
  }
  const [code, predicate] = codeAndPredicate(issue, valueAt(request.sent, path), request.target)
  return [sentence(path, code, predicate, request)]
}

function valueAt(sent: unknown, path: PropertyKey[]): unknown {
  let value = sent
  for (const key of path) {
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    value = isThere ? (value as Record<PropertyKey, unknown>)[key] : undefined
  }
  return value
}

function codeAndPredicate(issue: SchemaIssue, value: unknown, target: string): [IssueCode, string] {
  if (value === undefined && issue.code !== 'custom') {
    return ['required', 'is required']
  }
  if (target !== 'json' && Array.isArray(value)) {
    return ['repeated', 'must be given once']
  }
  if (issue.code === 'invalid_type') {
    return ['type', `must be ${typeNamed(issue.expected)}, not ${typeOf(value, issue.expected)}`]
  }
  if (issue.code === 'invalid_value') {
    return ['choice', choice(issue)]
  }
  return issue.code === 'too_small' || issue.code === 'too_big'
    ? bound(issue, value)
    : [issue.params?.code ?? 'format', issue.message]
}

const TYPES: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

const typeNamed = (expected: unknown) => TYPES[String(expected)] ?? String(expected)

function typeOf(value: unknown, expected: unknown): string {
  if (typeof value === 'number' && expected === 'int') {
    return String(value)
  }
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  return type === 'boolean' ? String(value) : typeNamed(type)
}

/** An enumeration with more choices says as its message where they are listed. */
const MOST_CHOICES = 20

function choice({ values = [], message }: SchemaIssue): string {
  if (values.length > MOST_CHOICES) {
    return message
  }
  return values.length === 1
    ? `must be ${String(values[0])}`
    : `must be one of ${values.map(String).join(', ')}`
}

const UNITS: Record<string, [one: string, many: string]> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
}

function bound(
  { origin, minimum, maximum, exact }: SchemaIssue,
  value: unknown,
): [IssueCode, string] {
  const limit = Number(minimum ?? maximum)
  const unit = UNITS[String(origin)]
  if (!unit) {
    const side = minimum === undefined ? 'at most' : 'at least'
    return ['range', `must be ${side} ${limit}, not ${String(value)}`]
  }
  const { length } = value as string | unknown[]
  if (limit === 1 && (length === 0 || (typeof value === 'string' && value.trim() === ''))) {
    return ['length', 'must not be empty']
  }
  const side = exact ? 'exactly' : minimum === undefined ? 'at most' : 'at least'
  return ['length', `must have ${side} ${limit} ${unit[limit === 1 ? 0 : 1]}, but has ${length}`]
}
