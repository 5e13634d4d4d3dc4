import { z } from '@hono/zod-openapi'
import { legIdOf, splitIdOf, LONGEST_TEXTS, MOST_TAGS } from '../../../domain/ledger-ids.ts'
import { convertParts, type Exchange } from '../../../domain/exchange.ts'
import { formatMoney, negate } from '../../../domain/money.ts'
import {
  currency,
  date,
  id,
  idInput,
  nullableText,
  money,
  textField,
  presentStamps,
  stamps,
  integerField,
  booleanField,
} from '../../../http/fields.ts'
import { type Labels, labelsAt, labelsOf, WHOLE } from '../../../ledger/labels/labels.public.ts'
import {
  attachmentCountOf,
  type LedgerRow,
  netMinorOf,
  type OtherLine,
  othersOf,
  ownCategoryOf,
  partOfRow,
} from '../../../ledger/ledger.public.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { convertedAmount, presentConverted } from '../exchange-rates/exchange-rates.public.ts'
import { isOtherAccountSeen, presentOtherSide, SplitTransfer } from './snapshots.contract.ts'

export const STATUSES = ['pending', 'uncleared', 'cleared', 'reconciled', 'void'] as const
export const TRANSACTION_KINDS = ['expense', 'income', 'transfer', 'adjustment', 'opening'] as const

export const SOURCES = ['user', 'import', 'rule', 'recurring', 'api'] as const

export const statusField = z.enum(STATUSES).openapi({
  description: 'Confirmation by the bank. A void transaction is kept but does not count.',
  example: 'cleared',
})

export const Location = z
  .strictObject({
    lat: z
      .number()
      .min(-90)
      .max(90)
      .openapi({ description: 'Latitude in degrees north.', example: 53.3438 }),
    lon: z
      .number()
      .min(-180)
      .max(180)
      .openapi({ description: 'Longitude in degrees east.', example: -6.2546 }),
    name: z
      .string()
      .max(LONGEST_TEXTS.placeName)
      .openapi({ description: 'Name of the place.', example: 'Trinity College' }),
  })
  .openapi('Location', { description: 'Place of the transaction.' })

export const tagIdsInput = (description: string) =>
  z
    .array(idInput('tag', 'Id of a tag.'))
    .max(MOST_TAGS)
    .openapi({ description, example: ['tag_01k9v3q8m5t0w2x4y6z8a1b3c5'] })

const tagIds = (description: string) => z.array(z.string()).openapi({ description, example: [] })

export const SplitResponse = z
  .object({
    id: id('spl', 'Id of the part.'),
    amount: money(
      'Amount of the part. A part with the opposite effect is negative, such as a refund inside an expense.',
    ),
    categoryId: nullableText('Category of this part.'),
    payeeId: nullableText('Payee of this part, if different from that of the transaction.'),
    tagIds: tagIds('Tags of this part.'),
    note: nullableText('Note about this part.'),
    transfer: SplitTransfer.nullable().openapi({
      description: 'The other side of a part that is a transfer; null for any other part.',
      example: null,
    }),
    converted: nullableText(
      'Effect of the part on the account in the currency of `converted` of the transaction, to whose amount the parts add up; present only if requested. Null if there is no rate.',
    ).optional(),
  })
  .openapi('SplitResponse')

const fields = {
  id: id('txn', 'Id of the transaction; each side of a transfer has its own.'),
  kind: z
    .enum(TRANSACTION_KINDS)
    .openapi({ description: 'Kind of transaction.', example: 'expense' }),
  accountId: id('acc', 'Account that the transaction is booked on.'),
  date: date('Booking date.'),
  time: nullableText('Local time HH:MM.', '18:45'),
  amount: money('Amount of the transaction; never negative.'),
  signedAmount: money('Effect on the account; money that leaves it is negative.'),
  netAmount: nullableText(
    '`amount` less what its refundOf and reimburses links cover, on either side; null if it has none. Totals do not subtract this.',
  ),
  currency: currency('The currency of the account.'),
  converted: convertedAmount,
  originalAmount: nullableText('Amount on the bill, in its own currency.'),
  originalCurrency: nullableText('Currency of the bill.'),
  rate: nullableText('Rate between the two amounts, as the user or the bank gave it.'),
  description: textField('Short description.', 'Groceries'),
  payeeId: nullableText('Payee of the transaction.'),
  payeeRaw: nullableText('The other party as the bank wrote it; never overwritten.'),
  categoryId: nullableText(
    'Category of the transaction; null if it is split. A transfer has the same on both sides.',
  ),
  tagIds: tagIds('Tags of the transaction; parts have tags of their own.'),
  status: statusField,
  reviewed: booleanField('Whether a person has reviewed the transaction.', false),
  splits: z.array(SplitResponse).openapi({
    description:
      'The parts, whose amounts add up to `amount` exactly; empty if the transaction is not split.',
  }),
  transferId: nullableText('Transfer that this transaction is one side of.'),
  parentTransactionId: nullableText(
    'Transaction of which a part is this transfer; null for other transactions, and for a caller who cannot see its account.',
  ),
  splitId: nullableText('The part of that transaction.'),
  counterAccountId: nullableText(
    'Account on the other side of the transfer; null for a caller who cannot see it.',
  ),
  externalId: nullableText('Id given by the bank or another system.'),
  source: z.enum(SOURCES).openapi({ description: 'Source of the transaction.', example: 'user' }),
  importId: nullableText('Import that booked the transaction.'),
  recurringId: nullableText('Recurring item whose occurrence the transaction is.'),
  recurringDate: nullableText('Nominal date of that occurrence.'),
  note: nullableText('Free text.'),
  location: Location.nullable().openapi({
    description: 'Place of the transaction.',
    example: null,
  }),
  metadata: z
    .record(z.string(), z.any())
    .nullable()
    .openapi({ description: 'Custom fields of other software.', example: null }),
  private: booleanField(
    'Whether the transaction is hidden from people whom the account is shared with.',
    false,
  ),
  excludeFromReports: booleanField('Whether reports exclude the transaction.', false),
  attachmentCount: integerField('Number of attached files.', 0),
  createdBy: id('usr', 'User who recorded the transaction.'),
  ...stamps,
}

export const TransactionResponse = z.object(fields).openapi('TransactionResponse')

export const RegisterTransactionResponse = z
  .object({ ...fields, runningBalance: money('Balance of the account after this transaction.') })
  .openapi('RegisterTransactionResponse')

type Transaction = z.infer<typeof TransactionResponse>

/** @param ctx of who asks, where that may see one leg of a transfer and not the other */
export function presentTransaction(row: LedgerRow, ctx?: SignedIn): Transaction {
  const others = othersOf(row)
  return row.pair === null ? presentWhole(row, others, ctx) : presentLeg(row, others, ctx)
}

function presentWhole(row: LedgerRow, others: OtherLine[], ctx: SignedIn | undefined): Transaction {
  const { transactionId, kind, currency, originalCurrency, originalAmountMinor } = row
  const netMinor = netMinorOf(row)
  const labels = labelsOf(row)
  const whole = labelsAt(labels, WHOLE)
  const isTransfer = kind === 'transfer'
  const parts = isTransfer
    ? []
    : others.filter(({ side, pair }) => side !== 'account' && pair === null)
  const converted = row.exchange && convertedParts(row, parts, row.exchange)
  const counter = others.find(
    ({ side, accountId }) =>
      isTransfer && side === 'account' && isOtherAccountSeen(row, accountId, ctx),
  )
  return {
    ...presentOwn(row),
    netAmount: netMinor === undefined ? null : formatMoney(netMinor, currency),
    originalAmount:
      originalAmountMinor === null || originalCurrency === null
        ? null
        : formatMoney(originalAmountMinor, originalCurrency),
    originalCurrency,
    rate: row.rate,
    payeeId: whole.payeeId,
    payeeRaw: row.payeeRaw,
    categoryId: isTransfer ? ownCategoryOf(row, others) : onlyCategoryOf(parts),
    tagIds: whole.tagIds,
    splits:
      parts.length > 1
        ? parts.map((part, at) => ({
            ...presentSplit(row, part, labels),
            transfer: presentOtherSide(row, part, others, ctx),
            ...(converted ? { converted: converted[at] ?? null } : {}),
          }))
        : [],
    transferId: isTransfer ? transactionId : null,
    counterAccountId: counter?.accountId ?? null,
    attachmentCount: attachmentCountOf(row),
  }
}

/** The other side of a part, as its account sees it. Who does not see the account of the whole sees the part alone. */
function presentLeg(row: LedgerRow, others: OtherLine[], ctx: SignedIn | undefined): Transaction {
  const { transactionId, pair } = row
  const part = others.find(({ line }) => line === pair)
  const isWholeSeen = part !== undefined && isOtherAccountSeen(row, part.accountId, ctx)
  const note = part?.note ?? null
  const own = {
    ...presentOwn(row),
    ...NOT_OF_LEGS,
    payeeRaw: row.linePayeeRaw,
    attachmentCount: attachmentCountOf(row),
    categoryId: part?.categoryId ?? null,
    tagIds: [],
    note,
  }
  return isWholeSeen
    ? {
        ...own,
        tagIds: labelsAt(labelsOf(row), part.line).tagIds,
        counterAccountId: part.accountId,
        parentTransactionId: transactionId,
        splitId: splitIdOf(transactionId, part.line),
      }
    : {
        ...own,
        time: null,
        description: note ?? '',
        reviewed: false,
        excludeFromReports: false,
        location: null,
        metadata: null,
      }
}

/** The fields of a transaction that the other account of a part does not show. */
const NOT_OF_LEGS = {
  netAmount: null,
  originalAmount: null,
  originalCurrency: null,
  rate: null,
  payeeId: null,
  splits: [],
  transferId: null,
  counterAccountId: null,
}

/** Presents the account's own line, and the visible fields of the header. */
const presentOwn = (row: LedgerRow) => ({
  id: legIdOf(row.transactionId, row.kind, row.line),
  kind: row.kind,
  accountId: row.accountId,
  date: row.date,
  time: row.time,
  amount: formatMoney(Math.abs(row.amountMinor), row.currency),
  signedAmount: formatMoney(row.amountMinor, row.currency),
  currency: row.currency,
  ...(row.exchange ? { converted: presentConverted(row, row.exchange) } : {}),
  description: row.description,
  status: row.status,
  reviewed: row.reviewed === 1,
  parentTransactionId: null,
  splitId: null,
  externalId: row.externalId,
  source: row.source,
  importId: row.importId,
  recurringId: row.recurringId,
  recurringDate: row.recurringDate,
  note: row.note,
  location: row.location === null ? null : JSON.parse(row.location),
  metadata: row.metadata === null ? null : JSON.parse(row.metadata),
  private: row.private === 1,
  excludeFromReports: row.excludeFromReports === 1,
  createdBy: row.createdBy,
  ...presentStamps(row),
})

const onlyCategoryOf = ([first, ...more]: OtherLine[]) =>
  more.length === 0 ? (first?.categoryId ?? null) : null

/** The amounts of the parts as the account sees them; none without a rate. */
const convertedParts = ({ currency }: LedgerRow, parts: OtherLine[], { to, chosen }: Exchange) =>
  chosen
    ? convertParts(
        parts.map(({ amountMinor }) => negate(amountMinor)),
        currency,
        to,
        chosen.rate,
      ).map((minor) => formatMoney(minor, to))
    : []

const presentSplit = (row: LedgerRow, part: OtherLine, labels: Labels) => ({
  id: splitIdOf(row.transactionId, part.line),
  ...partOfRow(row, part, labels),
})
