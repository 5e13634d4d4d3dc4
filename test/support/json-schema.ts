/** The part of JSON Schema that the description is written in. */
export interface Schema {
  $ref?: string
  allOf?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  minimum?: number
  maximum?: number
  default?: unknown
  description?: string
  example?: unknown
  discriminator?: unknown
}

/** Every keyword that is looked at, or says nothing about a value. */
const KEYWORDS = new Set([
  ...['$ref', 'allOf', 'anyOf', 'oneOf', 'type', 'enum', 'const', 'properties', 'required'],
  ...['additionalProperties', 'items', 'minItems', 'maxItems', 'uniqueItems', 'minLength'],
  ...['maxLength', 'pattern', 'format', 'minimum', 'maximum'],
  ...['default', 'description', 'example', 'discriminator'],
])

const FORMATS: Record<string, (text: string) => boolean> = {
  date: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)),
  'date-time': (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text),
  email: (text) => /^[^@\s]+@[^@\s]+$/.test(text),
  uri: (text) => URL.canParse(text),
}

type Named = Record<string, Schema>

/**
 * Says what is wrong with a value, each with its place. Stricter than JSON Schema in one thing: an object has no
 * field that its schema does not name, unless `additionalProperties` says so.
 */
export function faultsIn(schema: Schema, value: unknown, named: Named, at = '$'): string[] {
  const whole = resolved(schema, named)
  return [
    ...whole.flatMap((part) => faultsOfPart(part, value, named, at)),
    ...(isRecord(value) ? surplusIn(whole, value, at) : []),
  ]
}

/** A schema with all that it refers to or consists of, as parts that must all hold. */
function resolved(schema: Schema, named: Named): Schema[] {
  const unknown = Object.keys(schema).filter((keyword) => !KEYWORDS.has(keyword))
  if (unknown.length > 0) {
    throw new Error(`The description uses ${unknown.join(', ')}, which nothing here looks at`)
  }
  const { $ref, allOf = [] } = schema
  const referred = $ref === undefined ? [] : [named[$ref.replace('#/components/schemas/', '')]]
  return [
    schema,
    ...[...referred, ...allOf].flatMap((part) => {
      if (part === undefined) {
        throw new Error(`The description refers to ${$ref}, which it does not have`)
      }
      return resolved(part, named)
    }),
  ]
}

function faultsOfPart(part: Schema, value: unknown, named: Named, at: string): string[] {
  const types = part.type === undefined ? undefined : [part.type].flat()
  if (types && !types.some((type) => isOfType(type, value))) {
    return [`${at} is ${typeOf(value)} and not ${types.join(' or ')}`]
  }
  const fault = (isFault: boolean | undefined, what: string) => (isFault ? [`${at} ${what}`] : [])
  const choices = [part.anyOf, part.oneOf].filter((some) => some !== undefined)
  return [
    ...fault(part.enum && !part.enum.includes(value), `is none of ${part.enum?.join(', ')}`),
    ...fault('const' in part && part.const !== value, `is not ${String(part.const)}`),
    ...choices.flatMap((some) =>
      fault(
        some.every((one) => faultsIn(one, value, named, at).length > 0),
        'is none of what it may be',
      ),
    ),
    ...(typeof value === 'string' ? faultsOfText(part, value, fault) : []),
    ...(typeof value === 'number'
      ? fault(
          value < (part.minimum ?? -Infinity) || value > (part.maximum ?? Infinity),
          `is ${value}, out of its bounds`,
        )
      : []),
    ...(Array.isArray(value) ? faultsOfList(part, value, named, at, fault) : []),
    ...(isRecord(value) ? faultsOfFields(part, value, named, at) : []),
  ]
}

type Fault = (isFault: boolean | undefined, what: string) => string[]

function faultsOfText(part: Schema, text: string, fault: Fault): string[] {
  const { minLength = 0, maxLength = Infinity, pattern, format } = part
  const isOfFormat = format === undefined ? () => true : FORMATS[format]
  if (!isOfFormat) {
    throw new Error(`The description uses the format ${format}, which nothing here looks at`)
  }
  return [
    ...fault(text.length < minLength || text.length > maxLength, 'is too short or too long'),
    ...fault(pattern !== undefined && !new RegExp(pattern, 'u').test(text), `is not ${pattern}`),
    ...fault(!isOfFormat(text), `is no ${format}`),
  ]
}

function faultsOfList(part: Schema, list: unknown[], named: Named, at: string, fault: Fault) {
  const { minItems = 0, maxItems = Infinity, items } = part
  return [
    ...fault(list.length < minItems || list.length > maxItems, 'has too few or too many items'),
    ...fault(part.uniqueItems && new Set(list).size < list.length, 'has an item twice'),
    ...(items ? list.flatMap((one, index) => faultsIn(items, one, named, `${at}[${index}]`)) : []),
  ]
}

function faultsOfFields(part: Schema, value: Fields, named: Named, at: string): string[] {
  const { required = [], properties = {}, additionalProperties: others } = part
  return [
    ...required.filter((name) => !(name in value)).map((name) => `${at} has no ${name}`),
    ...Object.entries(value).flatMap(([name, inner]) => {
      const schema = properties[name] ?? (typeof others === 'object' ? others : undefined)
      return schema ? faultsIn(schema, inner, named, `${at}.${name}`) : []
    }),
  ]
}

/** Fields that no part of a schema names. What lists no fields at all says nothing about them. */
function surplusIn(whole: Schema[], value: Fields, at: string): string[] {
  const isOpen = whole.some(
    ({ additionalProperties: others }) => others !== undefined && others !== false,
  )
  const listing = whole.filter(({ properties }) => properties)
  if (isOpen || listing.length === 0) {
    return []
  }
  return Object.keys(value)
    .filter((name) => listing.every(({ properties = {} }) => !Object.hasOwn(properties, name)))
    .map((name) => `${at} has ${name}, which is not described`)
}

type Fields = Record<string, unknown>

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function typeOf(value: unknown): string {
  if (value === null) {
    return 'null'
  }
  return Array.isArray(value) ? 'array' : typeof value
}

const isOfType = (type: string, value: unknown) =>
  type === 'integer' ? Number.isInteger(value) : type === typeOf(value)
