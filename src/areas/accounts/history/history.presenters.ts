import type { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../domain/money.ts'
import { presentStamps } from '../../../http/fields.ts'
import type { HistoryRow } from './history.queries.ts'
import type { AccountHistoryResponseDTO, HISTORY_TYPES } from './history.schemas.ts'

/** From the actions of the log; what is not an event of the account itself booked an adjustment. */
const TYPE_OF_ACTION: Partial<Record<string, (typeof HISTORY_TYPES)[number]>> = {
  'account.created': 'created',
  'account.updated': 'updated',
  'account.closed': 'closed',
  'account.reopened': 'reopened',
  'account.deleted': 'deleted',
}

export function presentHistory(row: HistoryRow): z.infer<typeof AccountHistoryResponseDTO> {
  const money = (minor: number | bigint) => formatMoney(minor, row.currency)
  return {
    id: row.id,
    accountId: row.accountId,
    accountName: row.accountName,
    type: TYPE_OF_ACTION[row.action] ?? 'balanceAdjusted',
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
