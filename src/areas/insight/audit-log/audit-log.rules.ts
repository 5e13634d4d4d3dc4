import { toInstant } from '../../../domain/calendar.ts'
import { type FieldChange, fieldChanges } from '../../../domain/comparing.ts'
import { findCurrency } from '../../../domain/currency.ts'
import { formatMoney } from '../../../domain/money.ts'
import { jsonLine } from '../../../domain/text.ts'

// The log stores fields as the database has them. Here they become fields as the API has them, by the names of the stored
// fields alone, so that an entry of any age can be shown.

/** A field that differs; an amount has its currency. */
export interface ShownChange extends FieldChange {
  currency?: string
}

type Fields = Record<string, unknown>

/** The context that the presentation of a row of the log depends on. */
export interface FieldContext {
  resourceType: string
  /** The currency of the account that the row is about: for amounts that name no currency themselves. */
  currency: string | null
  /** True if account numbers and free text are masked. */
  isMasked: boolean
}

/** Fields that only the service itself needs. Keys by which names are compared or objects are stored are internal, too. */
const INTERNAL = [
  'depth',
  'erasedAt',
  'isMine',
  'lines',
  'matchedInto',
  'own',
  'rank',
  'searchText',
]

const isInternal = (field: string) => INTERNAL.includes(field) || field.endsWith('Key')

/** Amounts that are text already, with the field that names their currency. */
const CURRENCY_FIELDS: Record<string, string> = {
  amount: 'currency',
  signedAmount: 'currency',
  originalAmount: 'originalCurrency',
  originalAmountMinor: 'originalCurrency',
  toAmount: 'toCurrency',
}

/** Stored as JSON text. */
const JSON_FIELDS = ['location', 'metadata']

/** Lists of the log that are no pair of what was and what became. */
const LISTS = [
  'ids',
  'kinds',
  'states',
  'childIds',
  'lockIds',
  'payeeIds',
  'ruleIds',
  'transactionIds',
  'files',
  'findings',
  'failed',
]

/** Stands in the place of what is masked. */
const MASKED = '********'

const ACCOUNT_NUMBERS = ['iban', 'numberLastFour']

/** Words that people typed for themselves and those with whom they share, or searched for among them. */
const FREE_TEXT = [
  'alias',
  'aliases',
  'comment',
  'description',
  'externalId',
  'fileName',
  'institution',
  'location',
  'metadata',
  'metadataKey',
  'metadataValue',
  'name',
  'note',
  'payeeRaw',
  'raw',
  'text',
  'title',
]

/** Kinds of settings of the service. Administrators wrote their texts for everybody. */
const OF_THE_SERVICE = ['identityProvider', 'role', 'settings', 'storageClass', 'task', 'user']

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

interface ShownField {
  field: string
  value: unknown
  currency?: string | undefined
}

/** Undefined for what is not shown: internal fields, and amounts whose currency nobody knows any more. */
function fieldShown(
  field: string,
  value: unknown,
  siblings: Fields,
  context: FieldContext,
): ShownField | undefined {
  if (isInternal(field)) {
    return undefined
  }
  const named = siblings[CURRENCY_FIELDS[field] ?? 'currency']
  if (field.endsWith('Minor')) {
    const currency = typeof named === 'string' ? named : context.currency
    const amount = value === null ? null : amountIn(value, currency)
    return amount === undefined
      ? undefined
      : { field: field.slice(0, -'Minor'.length), value: amount, currency: currency ?? undefined }
  }
  const isAmount = field in CURRENCY_FIELDS && typeof value === 'string'
  return {
    field,
    value: valueShown(field, value, context),
    ...(isAmount ? currencyOf(named ?? context.currency) : {}),
  }
}

const currencyOf = (currency: unknown) => (typeof currency === 'string' ? { currency } : {})

const amountIn = (value: unknown, currency: string | null): string | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && currency && findCurrency(currency)
    ? formatMoney(value, currency)
    : undefined

/** The last moment that a date can hold. */
const LAST_INSTANT = 8.64e15

const isInstant = (field: string, value: unknown): value is number =>
  (field.endsWith('At') || field === 'at') &&
  typeof value === 'number' &&
  Math.abs(value) <= LAST_INSTANT

function valueShown(field: string, value: unknown, context: FieldContext): unknown {
  if (Array.isArray(value)) {
    return value.map((one) => valueShown(field, one, context))
  }
  if (JSON_FIELDS.includes(field)) {
    return typeof value === 'string' ? parsed(value) : value
  }
  if (isFields(value)) {
    return Object.fromEntries(
      imageShown(value, context).map(({ field: name, value: shownFields }) => [name, shownFields]),
    )
  }
  return isInstant(field, value) ? toInstant(value) : value
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}

function imageShown(image: Fields, context: FieldContext): ShownField[] {
  return Object.entries(image).flatMap(
    ([field, value]) => fieldShown(field, value, image, context) ?? [],
  )
}

/** Returns the differences between two snapshots, either of which may be missing. */
function differences(before: unknown, after: unknown, context: FieldContext): ShownChange[] {
  const [was, is] = [before, after].map((image) =>
    isFields(image) ? imageShown(image, context) : undefined,
  )
  const valuesOf = (shownFields: ShownField[] | undefined) =>
    shownFields && Object.fromEntries(shownFields.map(({ field, value }) => [field, value]))
  const currencies = new Map(
    [...(was ?? []), ...(is ?? [])].map(({ field, currency }) => [field, currency]),
  )
  return fieldChanges(valuesOf(was), valuesOf(is)).map((change) =>
    withCurrency(change, currencies.get(change.field)),
  )
}

const withCurrency = (change: FieldChange, currency: string | undefined): ShownChange =>
  currency === undefined ? change : { ...change, currency }

/** A pair of what was and what became, or a value that became. */
function singleShown(field: string, value: unknown, siblings: Fields, context: FieldContext) {
  const isPair = Array.isArray(value) && value.length === 2 && !LISTS.includes(field)
  const [before, after] = isPair ? (value as [unknown, unknown]) : [null, value]
  const [was, is] = [before, after].map((one) => fieldShown(field, one, siblings, context))
  const change = { before: was?.value ?? null, after: is?.value ?? null }
  return was && is
    ? [withCurrency({ field: is.field, ...change }, is.currency ?? was.currency)]
    : []
}

/**
 * Returns the fields in a row of the log, as the API has them: for two snapshots the differences, for pairs both
 * values, otherwise the values. Differences in internal fields are left out.
 */
export function changesShown(changes: string | null, context: FieldContext): ShownChange[] {
  const stored: unknown = JSON.parse(changes ?? '{}')
  if (!isFields(stored)) {
    return []
  }
  const shownFields = fieldsShown(stored, context)
  return context.isMasked && !OF_THE_SERVICE.includes(context.resourceType)
    ? shownFields.map(masked)
    : shownFields
}

function fieldsShown({ before, after, ...rest }: Fields, context: FieldContext): ShownChange[] {
  const areLists = Array.isArray(before) || Array.isArray(after)
  return [
    ...(areLists
      ? [
          {
            field: 'order',
            before: valueShown('order', before ?? null, context),
            after: valueShown('order', after ?? null, context),
          },
        ]
      : differences(before, after, context)),
    ...Object.entries(rest).flatMap(([field, value]) => singleShown(field, value, rest, context)),
  ]
}

/** Facts that the log keeps of a commit, shown in the same way. */
export function factsShown(facts: string | null, context: FieldContext): unknown {
  return facts === null ? null : valueShown('facts', JSON.parse(facts), context)
}

const isText = (field: string) => ACCOUNT_NUMBERS.includes(field) || FREE_TEXT.includes(field)

const masked = ({ field, before, after, ...more }: ShownChange): ShownChange => ({
  field,
  before: maskIn(field, before),
  after: maskIn(field, after),
  ...more,
})

/** Masks account numbers and free text, however deep they stand. */
function maskIn(field: string, value: unknown): unknown {
  if (isText(field)) {
    return value === null || value === '' ? value : MASKED
  }
  if (Array.isArray(value)) {
    return value.map((one) => maskIn(field, one))
  }
  return isFields(value)
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, maskIn(name, one)]))
    : value
}

export const LOG_EXPORT_FORMATS = ['ndjson', 'csv'] as const

export type LogExportFormat = (typeof LOG_EXPORT_FORMATS)[number]

/** The most entries that one run reads within its lease, with room to spare. */
export const MOST_ENTRIES = 200_000
export const MOST_LOG_EXPORT_BYTES = 1024 ** 3

const COLUMNS =
  'id,commitId,at,action,actorId,actorType,tokenId,ownerId,resourceType,resourceId,accountId,groupId,version,changes,ip,userAgent,requestId,number,hash'

export const headOf = (format: LogExportFormat): string =>
  format === 'csv' ? `${COLUMNS}\r\n` : ''

/** A line of a file, of fields in the order of the columns. */
export function lineOf(fields: { changes: unknown }, format: LogExportFormat): string {
  if (format === 'ndjson') {
    return jsonLine(fields)
  }
  const texts = { ...fields, changes: JSON.stringify(fields.changes) }
  const cells = Object.values(texts) as (string | number | null)[]
  return `${cells.map((value) => cellOf(String(value ?? ''))).join(',')}\r\n`
}

/** Matches a text that a spreadsheet would run as a formula; in some languages in full width, too. */
const FORMULA = /^\s*[=+\-@\t\r＝＋－＠]/

/** A cell of CSV (RFC 4180), always in quotes. */
export const cellOf = (value: string): string =>
  `"${(FORMULA.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`
