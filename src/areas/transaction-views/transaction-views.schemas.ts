import { z } from '@hono/zod-openapi'
import {
  currency,
  date,
  id,
  idInput,
  maybe,
  money,
  output,
  stamps,
  whole,
  yes,
  yesInQuery,
} from '../../http/fields.ts'

export const STATUSES = ['pending', 'uncleared', 'cleared', 'reconciled', 'void'] as const
export const KINDS = ['expense', 'income', 'transfer', 'adjustment', 'opening'] as const

export const SOURCES = ['user', 'import', 'rule', 'recurring', 'api'] as const

export const statusField = z.enum(STATUSES).openapi({
  description: 'How far the bank has confirmed it. A void one is kept but counts nowhere.',
  example: 'cleared',
})

export const Location = z
  .strictObject({
    lat: z.number().min(-90).max(90).openapi({ description: 'Degrees north.', example: 53.3438 }),
    lon: z.number().min(-180).max(180).openapi({ description: 'Degrees east.', example: -6.2546 }),
    name: z.string().max(200).openapi({ description: 'Of the place.', example: 'Trinity College' }),
  })
  .openapi('Location')

const FORCE =
  'Needed for a change of what is reconciled with a statement; the log says that it was given.'

export const forceField = yes(FORCE, true).optional()

export const ForceQuery = z.strictObject({
  force: yesInQuery(FORCE, true).optional(),
})

/** How many tags a transaction, or a part of it, has at most. */
export const MOST_TAGS = 50

export const tagIdsInput = (description: string) =>
  z
    .array(idInput('tag', 'A tag.'))
    .max(MOST_TAGS, 'There are 50 tags at most')
    .openapi({ description, example: ['tag_01k9v3q8m5t0w2x4y6z8a1b3c5'] })

const tagIds = (description: string) => z.array(z.string()).openapi({ description, example: [] })

export const SplitResponse = z
  .object({
    id: id('spl', 'Id of the part.'),
    amount: money('Signed against the whole: a refund inside an expense is negative.'),
    categoryId: maybe('Its category.'),
    payeeId: maybe('Whom this part was with, other than the whole.'),
    tagIds: tagIds('Tags of this part.'),
    note: maybe('About this part.'),
  })
  .openapi('SplitResponse')

const fields = {
  id: id('txn', 'Id of the transaction; each leg of a transfer has its own.'),
  kind: z.enum(KINDS).openapi({ description: 'What kind of movement it is.', example: 'expense' }),
  accountId: id('acc', 'The account that it is seen from.'),
  date: date('Booking date.'),
  time: maybe('Local time HH:MM.', '18:45'),
  amount: money('Never negative.'),
  signedAmount: money('As seen from the account: out of it is negative.'),
  currency: currency('The currency of the account.'),
  originalAmount: maybe('What was on the bill, in its own currency.'),
  originalCurrency: maybe('The currency of the bill.'),
  rate: maybe('Rate between the two amounts, as the user or the bank gave it.'),
  description: output('What it was.', 'Groceries'),
  payeeId: maybe('Whom it was with.'),
  payeeRaw: maybe('The other side as the bank wrote it; never overwritten.'),
  categoryId: maybe('Its category; null when it is split.'),
  tagIds: tagIds('Its tags; those of a part are on the part.'),
  status: statusField,
  reviewed: yes('Whether a person has looked at it.', false),
  splits: z.array(SplitResponse).openapi({
    description: 'The parts; their sum is `amount` exactly. Empty when it is not split.',
  }),
  transferId: maybe('The transfer that it is a leg of.'),
  counterAccountId: maybe(
    'The account on the other side of the transfer; none for a token that is not for it.',
  ),
  externalId: maybe('The id that the bank or another system gave it.'),
  source: z.enum(SOURCES).openapi({ description: 'Where it came from.', example: 'user' }),
  note: maybe('Free text.'),
  location: Location.nullable().openapi({ description: 'Where it was.', example: null }),
  metadata: z
    .record(z.string(), z.any())
    .nullable()
    .openapi({ description: 'Free fields of other software.', example: null }),
  private: yes('Whether receivers of a share do not see it.', false),
  attachmentCount: whole('How many files it has.', 0),
  createdBy: id('usr', 'Who recorded it.'),
  ...stamps,
}

export const TransactionResponse = z.object(fields).openapi('TransactionResponse')

export const RegisterTransactionResponse = z
  .object({ ...fields, runningBalance: money('Of the account after this transaction.') })
  .openapi('RegisterTransactionResponse')
