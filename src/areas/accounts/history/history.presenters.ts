import type { z } from '@hono/zod-openapi'
import { fieldChanges } from '../../../domain/changes.ts'
import { formatMoney } from '../../../domain/money.ts'
import { presentStamps } from '../../../http/fields.ts'
import { presentAccount } from '../accounts.presenters.ts'
import { type AccountRow, OWN } from '../accounts.queries.ts'
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

export const presentRecord = (row: HistoryRecord): z.infer<typeof AccountHistoryRecordDTO> => ({
  ...presentHistory(row),
  changes: presentChanges({ ...row, resourceType: 'account' }, false)
    .filter(({ field }) => !NOT_ITS_OWN.has(field))
    .map(({ field, before, after }) => ({ field, before, after })),
})

/** What is not said of an account itself, or by another field. */
const NOT_ITS_OWN = new Set(['status', 'deletedAt', 'erasedAt', 'transfer', 'forced'])
