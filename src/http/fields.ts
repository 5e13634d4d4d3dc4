import { z } from '@hono/zod-openapi'
import { isCalendarDate, toInstant } from '../domain/calendar.ts'
import { findCurrency, isActiveCurrency } from '../domain/currency.ts'
import { parseEmail } from '../domain/email.ts'
import { addressPattern, exampleId } from '../domain/ids.ts'
import { MONEY_PATTERN } from '../domain/money.ts'
import { foldKey } from '../domain/text.ts'
import { must } from './issues.ts'

// The field types that all areas share, each with its description, example and bounds. Each schema is made once, as thousands of
// them would hold up the start: `openapi` gives a copy with the description, and in a release, which has none, the schema itself.

/** Remembers what was made for the same bounds. */
export function once<Bounds extends (string | number)[], Made>(
  make: (...bounds: Bounds) => Made,
): (...bounds: Bounds) => Made {
  const made = new Map<string, Made>()
  return (...bounds) => {
    const key = bounds.join(' ')
    const known = made.get(key) ?? make(...bounds)
    made.set(key, known)
    return known
  }
}

const anyText = z.string()
const anyInteger = z.number().int()
const anyBoolean = z.boolean()
const textOrNull = anyText.nullable()

export const id = (prefix: string, description: string) =>
  anyText.openapi({ description, example: exampleId(prefix) })

const boundedId = z.string().min(1).max(64)

/** Ids of requests: bounded, so that a hostile one is refused before it reaches a query. */
export const idInput = (prefix: string, description: string) =>
  boundedId.openapi({ description, example: exampleId(prefix) })

const addressOf = once((prefix: string, example: string) =>
  z.string().regex(addressPattern(prefix), `must be an id such as ${example}`),
)

/** An id in a path. One without the form of its resource's ids is a mistake (400); an unknown one is not found (404). */
export const idInPath = (prefix: string, description: string, example = exampleId(prefix)) =>
  addressOf(prefix, example).openapi({ description, example })

export const pathId = once((prefix: string, thing: string) =>
  z.object({ id: idInPath(prefix, `Id of the ${thing}.`) }),
)

const decimalText = z
  .string()
  .max(24)
  .regex(MONEY_PATTERN, 'must be a decimal number as text, such as "12.30"')

/** Only the shape; how many digits the currency has is checked where the currency is known. */
export const moneyInput = (description: string) =>
  decimalText.openapi({ description, example: '12.30' })

export const money = (description: string) =>
  anyText.openapi({
    description: `${description} Decimal text with the decimals of its currency.`,
    example: '12.30',
  })

const activeCurrency = z
  .string()
  .refine(isActiveCurrency, { error: ({ input }) => currencyFault(String(input)) })

export const currencyInput = (description: string) =>
  activeCurrency.openapi({ description, example: 'EUR' })

const knownCurrency = anyText.refine(
  (code) => findCurrency(code) !== undefined,
  must('must be the ISO 4217 code of a currency, such as EUR'),
)

/** A currency, also one that has ended. */
export const knownCurrencyInput = (description: string) =>
  knownCurrency.openapi({ description, example: 'EUR' })

function currencyFault(code: string): string {
  const upper = code.toUpperCase()
  return code !== upper && isActiveCurrency(upper)
    ? `must be in upper case. Use the upper-case code: ${upper}`
    : 'must be the ISO 4217 code of a currency in use, such as EUR'
}

export const currency = (description = 'ISO 4217 code.') =>
  anyText.openapi({ description, example: 'EUR' })

const calendarDate = z
  .string()
  .refine(
    isCalendarDate,
    must('must be a real date as YYYY-MM-DD from 1900 to 2200, such as 2026-11-20'),
  )

export const dateInput = (description: string) =>
  calendarDate.openapi({ description, format: 'date', example: '2026-11-20' })

export const date = (description: string) =>
  anyText.openapi({ description, format: 'date', example: '2026-11-20' })

const boundedText = once((least: number, most: number) => z.string().min(least).max(most))

export const text = (least: number, most: number, description: string, example: string) =>
  boundedText(least, most).openapi({ description, example })

/** A colour of something, for display. */
export const colorInput = once(() =>
  z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, 'must be # and six hexadecimal digits, such as #1e88e5')
    .toLowerCase()
    .openapi({ description: 'Color for display, as `#rrggbb`.', example: '#2e7d32' }),
)

export const color = () => nullableText('Color for display, as `#rrggbb`.', '#2e7d32')

const visibleName = once((most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .refine((name) => name === '' || foldKey(name) !== '', must('must have a visible character')),
)

/** A name. Where names are unique, their keys leave out what cannot be seen, so there must be something else. */
export const nameInput = (most: number, description: string, example: string) =>
  visibleName(most).openapi({ description, example })

const address = z
  .string()
  .max(254)
  .overwrite((text) => parseEmail(text) ?? text)
  .refine(
    (text) => parseEmail(text) !== undefined,
    must('must be an e-mail address, such as ada@example.com'),
  )

/** An e-mail address, with its domain as the DNS spells it. */
export const emailInput = (description: string, example = 'ada@example.com') =>
  address.openapi({ format: 'email', description, example })

export const textField = (description: string, example: string) =>
  anyText.openapi({ description, example })

/** Text that may be missing. */
export const nullableText = (description: string, example: string | null = null) =>
  textOrNull.openapi({ description, example })

export const instant = (description: string) =>
  anyText.openapi({ description, format: 'date-time', example: '2026-11-20T08:30:00.000Z' })

const time = z.iso
  .datetime({
    offset: true,
    error: 'must be an RFC 3339 time with a zone, such as 2026-11-20T08:30:00Z',
  })
  .transform((text) => Date.parse(text))

/** Becomes milliseconds since 1970 UTC. */
export const instantInput = (description: string) =>
  time.openapi({
    type: 'string',
    format: 'date-time',
    description,
    example: '2027-11-20T08:30:00.000Z',
  })

export const booleanField = (description: string, example: boolean) =>
  anyBoolean.openapi({ description, example })

const trueOrFalse = z.enum(['true', 'false']).transform((word) => word === 'true')

/** A boolean in a query. */
export const yesInQuery = (description: string, example: boolean) =>
  trueOrFalse.openapi({ type: 'boolean', description, example })

/** The most values of a field in a query, unless it says otherwise. */
const MOST_VALUES = 50

/** Several values of a field in a query, repeated or separated by commas. */
export const severalInQuery = <Value extends string>(
  one: z.ZodType<Value>,
  example: string,
  choices?: readonly string[],
  most = MOST_VALUES,
) =>
  z
    .union([anyText, z.array(anyText)])
    .transform((sent, { issues }): Value[] => {
      const texts = [sent].flat()
      const values = texts.flatMap((text, at) =>
        text.split(',').map((value) => ({ value, path: Array.isArray(sent) ? [at] : [] })),
      )
      if (values.length > most) {
        const message = `must have at most ${most} values`
        issues.push({ code: 'custom', input: sent, message })
      }
      return values.slice(0, most).flatMap(({ value, path }) => {
        const { success, data, error } = one.safeParse(value)
        const found = error?.issues.map((issue) => ({ ...issue, path })) ?? []
        issues.push(...(found as z.core.$ZodRawIssue[]))
        return success ? [data] : []
      })
    })
    .openapi({
      type: 'array',
      maxItems: most,
      items: { type: 'string', ...(choices ? { enum: [...choices] } : {}) },
      description: `${one.description ?? ''} Any of several values, repeated or separated by commas.`,
      example: [example],
    })

/** A JSON object as text, where a query says what a body says as an object. */
export const jsonInQuery = <Value extends object>(
  schema: z.ZodType<Value>,
  { maxLength, ...docs }: { maxLength: number; description: string; example: string },
) =>
  z
    .string()
    .max(maxLength)
    .transform((text, { issues }): Value => {
      const value = jsonOf(text)
      const { success, data } = schema.safeParse(value)
      if (!success) {
        issues.push({ code: 'custom', input: text, message: 'must be a JSON object' })
        return z.NEVER
      }
      return data
    })
    .openapi({ type: 'string', maxLength, ...docs })

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const archivedInQuery = yesInQuery(
  'true for archived items only, false for active ones only; both when left out.',
  false,
)

const FORCE =
  'Required to change what is reconciled with a statement or under a soft period lock; its use is logged.'

export const forceField = booleanField(FORCE, true).optional()

export const ForceQuery = z.strictObject({
  force: yesInQuery(FORCE, true).optional(),
})

export const integerField = (description: string, example: number) =>
  anyInteger.openapi({ description, example })

/** A field that differs between two versions of something. */
export const fieldChange = z.object({
  field: textField('Name of the field.', 'amount'),
  before: z
    .any()
    .openapi({ description: 'The value before the change; null for none.', example: '10.00' }),
  after: z.any().openapi({ description: 'The value after the change.', example: '12.50' }),
})

/** The fields that every resource has. */
export const stamps = {
  version: integerField('Version number, raised by one with every change. See If-Match.', 1),
  createdAt: instant('When it was created.'),
  updatedAt: instant('When it was last changed.'),
}

export const nextCursor = z
  .string()
  .nullable()
  .openapi({ description: 'Cursor of the next page; null on the last page.', example: null })

export const count = integerField('Total number of items in the list.', 1)
/** The count of a list of the log. It is incomplete where older pages have not been read. */
export const countOfLog = integerField(
  'Total number of entries. Of entries older than 13 months, only those on this page and the previous pages are counted.',
  1,
)

export const MessageResponse = z
  .object({ message: textField('Readable summary of what was done.', 'Done.') })
  .openapi('MessageResponse')

export { toInstant }

export const toInstantOrNull = (ms: number | null): string | null =>
  ms === null ? null : toInstant(ms)

export function presentStamps(row: { version: number; createdAt: number; updatedAt: number }) {
  const createdAt = toInstant(row.createdAt)
  // Most rows were never changed, and instants take longer to tell than all else of a row.
  const updatedAt = row.updatedAt === row.createdAt ? createdAt : toInstant(row.updatedAt)
  return { version: row.version, createdAt, updatedAt }
}
