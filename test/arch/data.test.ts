import { globSync, readFileSync } from 'node:fs'
import { z } from '@hono/zod-openapi'
import { expect, it } from 'vitest'
import { inProject } from '../../scripts/lib/project.ts'
import { LANGUAGES } from '../../src/areas/money/categories/categories.rules.ts'
import { HOUSEHOLDS } from '../../src/areas/money/categories/starter.rules.ts'
import starterNamesData from '../../src/areas/money/categories/starter-names.json' with { type: 'json' }
import { RATE_PATTERN } from '../../src/domain/exchange.ts'
import { PROFILE_CODE } from '../../src/domain/csv/profiles/profiles.ts'
import { ROLES } from '../../src/domain/bank-files/format.ts'

// The code believes its data (`.json` files in src) without a check: this is the check.

const text = z.string().trim().min(1)

/** Texts divided by `|`, none of which is empty. */
const listed = text.regex(/^[^|]*[^|\s][^|]*(\|[^|]*[^|\s][^|]*)*$/)

const currencyCode = z.string().regex(/^[A-Z]{3}$/)

const profiles = z.array(
  z.strictObject({
    key: z.string().regex(/^[a-z0-9-]+$/),
    name: text,
    note: text.optional(),
    isOfCard: z.literal(true).optional(),
    isInOrder: z.literal(false).optional(),
    hasBothUnits: z.literal(true).optional(),
    opening: z.string().regex(/^\d+$/).optional(),
    headings: listed,
    columns: z.partialRecord(z.enum(ROLES), listed),
    reading: z
      .strictObject({
        sign: z.enum(['asIs', 'reversed']),
        dateOrder: z.enum(['YMD', 'DMY', 'MDY']),
        decimal: z.enum(['.', ',']),
        fee: z.enum(['inside', 'minus', 'plus']),
        currency: currencyCode,
        zeroRows: z.enum(['ignore', 'book']),
      })
      .partial()
      .optional(),
  }),
)

const words = z.array(listed).nonempty()

const headingWords = z.strictObject({
  languages: text,
  note: text,
  columns: z.array(z.strictObject({ role: z.enum(ROLES), words })),
})

const cellWords = z.strictObject({
  moneyOut: words,
  moneyIn: words,
  neutral: words,
  notCompleted: words,
  pending: words,
  opening: words,
  closing: words,
  turnover: words,
  total: words,
  cardPayments: words,
})

/** Names divided by single spaces. */
const names = z.array(z.string().regex(/^\S+( \S+)*$/)).nonempty()

const months = z.strictObject({
  languages: text,
  note: text,
  names: z.strictObject({
    january: names,
    february: names,
    march: names,
    april: names,
    may: names,
    june: names,
    july: names,
    august: names,
    september: names,
    october: names,
    november: names,
    december: names,
  }),
})

const currencies = z.array(
  z.strictObject({
    code: currencyCode,
    name: text,
    symbol: text,
    minorDigits: z.literal([0, 2, 3, 4]),
    succeededBy: z
      .strictObject({
        code: currencyCode,
        rate: z.string().regex(RATE_PATTERN),
        on: z.iso.date(),
      })
      .optional(),
  }),
)

const currencyTable = z.strictObject({
  source: text,
  leftOut: text,
  active: currencies,
  historicNote: text,
  historic: currencies,
  endedNote: text,
  ended: z.array(z.string().regex(/^[A-Z]{3}( [A-Z]{3})*$/)),
})

/** Names of starter categories: every language has one for each key of English. */
const starterNames = z.record(
  z.enum(LANGUAGES),
  z.strictObject(Object.fromEntries(Object.keys(starterNamesData.en).map((key) => [key, text]))),
)

const starterCategory = {
  key: z.enum(Object.keys(starterNamesData.en)),
  icon: text,
  only: z.array(z.enum(HOUSEHOLDS)).nonempty().optional(),
}

const starterCategories = z.array(
  z.strictObject({
    ...starterCategory,
    kind: z.enum(['expense', 'income']),
    color: z.string().regex(/^#[0-9a-f]{6}$/),
    children: z.array(z.strictObject(starterCategory)),
  }),
)

const wordsBesideNames = z.strictObject({ note: text, cards: names, cities: names })

const knownPasswords = z.strictObject({
  note: text,
  count: z.int().positive(),
  long: z.int().positive(),
  hashes: z.base64(),
  words: z.string().regex(/^[a-z]+( [a-z]+)*$/),
})

const operationId = z.string().regex(/^[a-z]\w+$/i)

const texts = z.record(operationId, text)

/** Bodies, in which `{acc 2}` is the id of the second account of the demo data. */
const examples = z.record(operationId, z.record(z.string(), z.json()))

const errorCodes = z.record(operationId, z.string().regex(/^\w+\.\w+( \w+\.\w+)*$/))

const tags = z.array(z.strictObject({ name: text, description: text }))

const SCHEMAS: Record<string, z.ZodType> = {
  'src/areas/money/categories/starter-categories.json': starterCategories,
  'src/areas/money/categories/starter-names.json': starterNames,
  'src/domain/bank-files/months.json': months,
  'src/domain/csv/cell-words.json': cellWords,
  'src/domain/csv/heading-words.json': headingWords,
  'src/domain/currency.json': currencyTable,
  'src/domain/csv/profiles/banks.json': profiles,
  'src/domain/csv/profiles/overseas-banks.json': profiles,
  'src/domain/csv/profiles/programs.json': profiles,
  'src/domain/csv/profiles/services.json': profiles,
  'src/domain/matching/words-beside-names.json': wordsBesideNames,
  'src/domain/passwords/known.json': knownPasswords,
  'src/http/description/error-codes.json': errorCodes,
  'src/http/description/examples/budgets.json': examples,
  'src/http/description/examples/identity.json': examples,
  'src/http/description/examples/imports.json': examples,
  'src/http/description/examples/money.json': examples,
  'src/http/description/examples/others.json': examples,
  'src/http/description/tags.json': tags,
  'src/http/description/texts/budgets.json': texts,
  'src/http/description/texts/identity.json': texts,
  'src/http/description/texts/imports.json': texts,
  'src/http/description/texts/money.json': texts,
  'src/http/description/texts/others.json': texts,
}

const dataIn = (file: string): unknown => JSON.parse(readFileSync(inProject(file), 'utf8'))

it('is all in files that have a schema', () => {
  const files = globSync('src/**/*.json', { cwd: inProject('.') })
  expect(files.toSorted()).toEqual(Object.keys(SCHEMAS).toSorted())
})

it.each(Object.entries(SCHEMAS))('%s is as its schema says', (file, schema) => {
  expect(schema.safeParse(dataIn(file)).error?.issues ?? []).toEqual([])
})

it('has code for no profile that is gone', () => {
  const keys = ['banks', 'overseas-banks', 'programs', 'services'].flatMap((name) =>
    profiles.parse(dataIn(`src/domain/csv/profiles/${name}.json`)).map(({ key }) => key),
  )
  expect(Object.keys(PROFILE_CODE).filter((key) => !keys.includes(key))).toEqual([])
})
