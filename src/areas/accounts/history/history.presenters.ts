import type { z } from '@hono/zod-openapi'
import { fieldChanges } from '../../../domain/changes.ts'
import { formatMoney } from '../../../domain/money.ts'
import { presentStamps } from '../../../http/fields.ts'
import { presentNumber } from '../accounts.presenters.ts'
import type { AccountRow } from '../accounts.queries.ts'
import { classOf } from '../accounts.rules.ts'
import type { HistoryRecord, HistoryRow } from './history.queries.ts'
import type {
  AccountHistoryRecordDTO,
  AccountHistoryResponseDTO,
  HISTORY_TYPES,
} from './history.schemas.ts'

/** Of the events of accounts; any other that is in the history booked an adjustment. */
const TYPE_OF_EVENT: Partial<Record<string, (typeof HISTORY_TYPES)[number]>> = {
  'account.created': 'created',
  'account.updated': 'updated',
  'account.shared': 'shared',
  'account.unshared': 'unshared',
  'account.closed': 'closed',
  'account.reopened': 'reopened',
  'account.deleted': 'deleted',
  'account.restored': 'restored',
}

export function presentHistory(row: HistoryRow): z.infer<typeof AccountHistoryResponseDTO> {
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

export function presentRecord(row: HistoryRecord): z.infer<typeof AccountHistoryRecordDTO> {
  const { before, after } = JSON.parse(row.content ?? '{}') as Images
  const told = (account: Images['after']) => account && fieldsOf(account, row.currency)
  return { ...presentHistory(row), changes: fieldChanges(told(before), told(after)) }
}

/** Of a change the fields that differ. */
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
    deletedAt: _d,
    erasedAt: _e,
    ...same
  } = account
  const { id: _id, ownerId: _o, version: _v, createdAt: _c, updatedAt: _u, ...fields } = same
  return {
    ...fields,
    ...(account.type === undefined ? {} : { class: classOf(account.type) }),
    ...(numberLastFour === undefined ? {} : { number: presentNumber(numberLastFour) }),
    ...(creditLimitMinor === undefined
      ? {}
      : {
          creditLimit: creditLimitMinor === null ? null : formatMoney(creditLimitMinor, currency),
        }),
  }
}
