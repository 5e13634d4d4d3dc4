import { z } from '@hono/zod-openapi'
import { fieldChanges } from '../../../../domain/comparing.ts'
import { formatMoney } from '../../../../domain/money.ts'
import {
  currency,
  date,
  dateInput,
  fieldChange,
  id,
  idInput,
  nullableText,
  money,
  textField,
  presentStamps,
  stamps,
} from '../../../../http/fields.ts'
import { pageQuery } from '../../../../http/pagination.ts'
import { presentNumber } from '../accounts.contract.ts'
import type { AccountRow } from '../accounts.queries.ts'
import { classOf } from '../accounts.rules.ts'
import type { HistoryRecord, HistoryRow } from './history.queries.ts'

export const HISTORY_TYPES = [
  'created',
  'updated',
  'balanceAdjusted',
  'reconciled',
  'shared',
  'unshared',
  'closed',
  'reopened',
  'deleted',
  'restored',
] as const

export const AccountHistoryQuery = z.strictObject({
  accountId: idInput('acc', 'Only records of this account.').optional(),
  from: dateInput('First day.').optional(),
  to: dateInput('Last day.').optional(),
  ...pageQuery(1000, 1000),
})

export const AccountHistoryResponseDTO = z
  .object({
    id: id('log', 'Id of the record.'),
    accountId: id('acc', 'Id of the account.'),
    accountName: textField('Present name of the account.', 'Everyday'),
    type: z.enum(HISTORY_TYPES).openapi({ description: 'Type of the record.', example: 'created' }),
    date: date('Day that the record counts for.'),
    currency: currency('Currency of the account at that time.'),
    balanceBefore: money('Balance before the change.'),
    balanceAfter: money('Balance after the change.'),
    change: money('Difference between the two balances.'),
    actorId: nullableText(
      'User who made the change; null for the service itself.',
      'usr_01k9v3q8m5t0w2x4y6z8a1b3c5',
    ),
    source: z
      .enum(['user', 'system'])
      .openapi({ description: 'Cause of the change.', example: 'user' }),
    transactionId: nullableText('Transaction that booked the change.'),
    comment: nullableText('Comment of the user.', 'Found in the old wallet'),
    ...stamps,
  })
  .openapi('AccountHistoryResponseDTO')

export const AccountHistoryRecordResponse = z
  .object({
    ...AccountHistoryResponseDTO.shape,
    changes: z.array(fieldChange).openapi({
      description: 'Fields of the account that differ, except for its balance.',
    }),
  })
  .openapi('AccountHistoryRecordResponse')

export const AccountHistoryList = z.array(AccountHistoryResponseDTO)

export const UpdateAccountHistoryCommentDTO = z
  .strictObject({
    comment: z.string().max(2000).openapi({
      description: 'New comment; an empty text clears it.',
      example: 'Found in the old wallet',
    }),
  })
  .openapi('UpdateAccountHistoryCommentDTO')

export const SuccessResponse = z
  .object({
    success: z.boolean().openapi({ description: 'Whether the request succeeded.', example: true }),
  })
  .openapi('SuccessResponse')

/** Types of records for events. Any other event in the history booked an adjustment. */
const TYPE_OF_EVENT: Partial<Record<string, (typeof HISTORY_TYPES)[number]>> = {
  'account.created': 'created',
  'account.updated': 'updated',
  'account.shared': 'shared',
  'account.unshared': 'unshared',
  'account.closed': 'closed',
  'account.reopened': 'reopened',
  'account.deleted': 'deleted',
  'account.restored': 'restored',
  'reconciliation.finished': 'reconciled',
}

export function presentAccountHistory(row: HistoryRow): z.infer<typeof AccountHistoryResponseDTO> {
  const money = (minor: number | bigint) => formatMoney(minor, row.currency)
  return {
    id: row.id,
    accountId: row.accountId,
    accountName: row.accountName,
    type: TYPE_OF_EVENT[row.type] ?? 'balanceAdjusted',
    date: row.date,
    currency: row.currency,
    balanceBefore: money(BigInt(row.balanceAfterMinor) - BigInt(row.changeMinor)),
    balanceAfter: money(row.balanceAfterMinor),
    change: money(row.changeMinor),
    actorId: row.actorId,
    source: row.actorType === 'system' ? 'system' : 'user',
    transactionId: row.transactionId,
    comment: row.comment,
    ...presentStamps({ ...row, createdAt: row.at }),
  }
}

export function presentRecord(row: HistoryRecord): z.infer<typeof AccountHistoryRecordResponse> {
  const { before, after } = JSON.parse(row.content ?? '{}') as Images
  const fieldsIn = (account: Images['after']) => account && fieldsOf(account, row.currency)
  return { ...presentAccountHistory(row), changes: fieldChanges(fieldsIn(before), fieldsIn(after)) }
}

/** Returns the fields that a change altered. */
interface Images {
  before?: Partial<AccountRow>
  after?: Partial<AccountRow>
}

/** Fields as the API has them; those that say when and by whom are not an account's own. */
function fieldsOf(account: Partial<AccountRow>, currency: string): Record<string, unknown> {
  const {
    nameKey: _key,
    numberLastFour,
    creditLimitMinor,
    minimumAmountMinor,
    deletedAt: _d,
    erasedAt: _e,
    ...same
  } = account
  const amountOf = (field: string, minor: number | null | undefined) =>
    minor === undefined ? {} : { [field]: minor === null ? null : formatMoney(minor, currency) }
  const { id: _id, ownerId: _o, version: _v, createdAt: _c, updatedAt: _u, ...fields } = same
  return {
    ...fields,
    ...(account.type === undefined ? {} : { class: classOf(account.type) }),
    ...(numberLastFour === undefined ? {} : { number: presentNumber(numberLastFour) }),
    ...amountOf('creditLimit', creditLimitMinor),
    ...amountOf('minimumAmount', minimumAmountMinor),
  }
}
