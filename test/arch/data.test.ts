import { globSync, readFileSync } from 'node:fs'
import { z } from '@hono/zod-openapi'
import { expect, it } from 'vitest'
import { inProject } from '../../scripts/lib/project.ts'
import { PROFILE_CODE } from '../../src/domain/csv/profiles/profiles.ts'
import { ROLES } from '../../src/domain/bank-files/format.ts'

// The code believes its data (`.json` files in src) without a check: this is the check.

const text = z.string().trim().min(1)

/** Texts divided by `|`, none of which is empty. */
const listed = text.regex(/^[^|]*[^|\s][^|]*(\|[^|]*[^|\s][^|]*)*$/)

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
        currency: z.string().regex(/^[A-Z]{3}$/),
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

const SCHEMAS: Record<string, z.ZodType> = {
  'src/domain/bank-files/months.json': months,
  'src/domain/csv/cell-words.json': cellWords,
  'src/domain/csv/heading-words.json': headingWords,
  'src/domain/csv/profiles/banks.json': profiles,
  'src/domain/csv/profiles/overseas-banks.json': profiles,
  'src/domain/csv/profiles/programs.json': profiles,
  'src/domain/csv/profiles/services.json': profiles,
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
