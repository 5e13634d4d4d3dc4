import { z } from '@hono/zod-openapi'
import { FORMAT_KEYS, type ColumnRole, ROLES } from '../../../../domain/bank-files/format.ts'
import { MAX_FIELDS } from '../../../../domain/csv/records.ts'
import { profileNamed } from '../../../../domain/csv/profiles/profiles.ts'
import { isEncoding } from '../../../../domain/bank-files/encodings.ts'
import { must } from '../../../../http/issues.ts'
import { currencyInput, dateInput, idInput, text } from '../../../../http/fields.ts'
import { accountInputs } from '../../../money/accounts/accounts.public.ts'

const column = z.union([z.int().min(0).max(199), z.string().min(1).max(200)])

const columns = z
  .record(z.string(), z.union([column, z.array(column).min(1).max(20)]))
  .refine(
    (roles) => Object.keys(roles).every((role) => ROLES.includes(role as ColumnRole)),
    must(`may have only these keys: ${ROLES.join(', ')}`, 'choice'),
  )
  .openapi({
    description: `Columns by their roles: the number of a column, from 0, or its heading; a list if a role has several. The roles are ${ROLES.map((role) => `\`${role}\``).join(', ')}; \`counterAccount\` is the IBAN or number of the other side.`,
    example: { date: 0, amount: 3, description: [1, 2] },
  })

const most = 200

/** Files with 100 accounts each may share a mapping, as a profile. */
const MOST_FOREIGN = 1000
/** Many categories of files may become one of the own. */
const MOST_MAPPED = 10_000

const atMost = (keys: number) =>
  [
    (map: object) => Object.keys(map).length <= keys,
    must(`may have at most ${keys.toLocaleString('en')} keys`, 'length'),
  ] as const

const categoryOrCreate = z
  .union([z.literal('create'), idInput('cat', 'Own category.')])
  .openapi({ description: 'Id of an own category, or `create`.', example: 'create' })

const fields = {
  format: z.enum(FORMAT_KEYS).openapi({ description: 'Format of the file.', example: 'csv' }),
  encoding: text(1, 40, 'Encoding of the text, as the WHATWG names it.', 'windows-1252').refine(
    isEncoding,
    must('must be an encoding of the WHATWG Encoding Standard, such as windows-1252', 'choice'),
  ),
  delimiter: text(1, 1, 'Character between fields.', ';'),
  quote: text(1, 1, 'Character around fields.', '"'),
  headerLine: z
    .int()
    .min(0)
    .max(1000)
    .openapi({ description: 'Line of the heading, from 1; 0 if there is none.', example: 1 }),
  skipLines: z
    .int()
    .min(0)
    .max(1000)
    .openapi({ description: 'Lines to skip at the beginning.', example: 0 }),
  columns,
  dateOrder: z
    .enum(['YMD', 'DMY', 'MDY'])
    .openapi({ description: 'Order of the numbers of a date.', example: 'DMY' }),
  decimal: z.enum(['.', ',']).openapi({ description: 'Decimal mark.', example: ',' }),
  sign: z
    .enum(['asIs', 'reversed'])
    .openapi({ description: '`reversed` if charges are positive.', example: 'asIs' }),
  amountUnit: z.enum(['major', 'minor']).openapi({
    description:
      '`minor` if the amounts are in the smallest unit of their currency, such as pence, and `major` if not.',
    example: 'major',
  }),
  fee: z.enum(['inside', 'minus', 'plus']).openapi({
    description:
      'How a column with fees counts: part of the amount already, taken from it, or added to it.',
    example: 'inside',
  }),
  year: z
    .int()
    .min(1970)
    .max(2200)
    .openapi({ description: 'Year of dates that have none.', example: 2026 }),
  currency: currencyInput('Currency of amounts that name none.'),
  batches: z.enum(['split', 'whole', 'separate']).openapi({
    description: 'How a collective booking with details becomes transactions.',
    example: 'split',
  }),
  zeroRows: z
    .enum(['ignore', 'book'])
    .openapi({ description: 'How rows with the amount zero are treated.', example: 'ignore' }),
  builtIn: text(1, 40, 'Built-in profile that reads the rows.', 'revolut').refine(
    (key) => profileNamed(key) !== undefined,
    must('must be the key of a profile in GET /import/format, such as revolut', 'choice'),
  ),
  accountId: z
    .union([
      z.literal('create'),
      idInput('acc', 'Account of the rows of a file that names one account or none.'),
    ])
    .openapi({
      description:
        'Account of the rows of a file that names one account or none: the id of an own account, or `create` for a new one.',
      example: 'acc_01jz5k0c3v8m2q7r4t6w9x1y2z',
    }),
  accountMap: z
    .record(text(0, most, 'Account as the file names it.', 'DE89…'), text(1, 64, 'Id.', 'ignore'))
    .refine(...atMost(MOST_FOREIGN))
    .openapi({
      description:
        'For each account of the file, by its `foreign`: the id of an own account, `create` for a new one, or `ignore`.',
      example: { 'Old savings': 'ignore' },
    }),
  newAccounts: z
    .record(
      text(0, most, 'Account as the file names it.', 'DE89…'),
      z.strictObject({
        name: accountInputs.name.optional(),
        type: accountInputs.type.optional(),
        currency: currencyInput('Currency; by default that of the file.').optional(),
      }),
    )
    .refine(...atMost(MOST_FOREIGN))
    .openapi({
      description:
        'Name, type and currency of new accounts, by the `foreign` of the account in the file (empty if the file names none). Fields that are left out are taken from the `choices` of the question.',
      example: { '': { name: 'Holiday card', type: 'creditCard', currency: 'EUR' } },
    }),
  categoryMap: z
    .record(text(1, 500, 'Category of the file.', 'Food'), categoryOrCreate)
    .refine(...atMost(MOST_MAPPED))
    .openapi({
      description:
        'For each category of the file: the id of an own category, or `create`. The key `*` with `create` is for all that are not known.',
      example: { '*': 'create' },
    }),
  pending: z.enum(['skip', 'import']).openapi({
    description:
      'Whether pending rows are booked (`import`) or left out (`skip`). By default, they are booked from exports of this service and left out from other files.',
    example: 'skip',
  }),
  matching: z.enum(['usual', 'strict', 'never']).openapi({
    description:
      'How rows are matched with existing transactions: `usual`, `strict` (only very similar ones) or `never`.',
    example: 'usual',
  }),
  from: dateInput('Rows before this date are left out.'),
  through: dateInput('Rows after this date are left out.'),
}

type Nullable<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends z.ZodType ? z.ZodNullable<Fields[Name]> : never
}

const nullableFields = Object.fromEntries(
  Object.entries(fields).map(([name, field]) => [name, field.nullable()]),
) as Nullable<typeof fields>

/** A field that is left out stays. Null removes it, so that it is detected again. */
export const mappingInput = z.strictObject(nullableFields).partial().openapi('ImportMappingInput', {
  description:
    'A field that is left out stays as it is. Null removes what was set, so that it is detected from the file again.',
})

export const mappingField = z.object(fields).partial().openapi('ImportMapping')

/** A mapping as it is stored: with what only readers of files need. */
export const storedMapping = z
  .strictObject({
    ...fields,
    month: z.int().min(1).max(12),
    unsigned: z.literal('out'),
    blankDirection: z.literal('out'),
    outsideIdentity: z.array(z.int().min(0)).max(MAX_FIELDS),
    today: dateInput('Day of the upload.'),
    accountCurrency: currencyInput('Currency of the account that was sent with the file.'),
  })
  .partial()
