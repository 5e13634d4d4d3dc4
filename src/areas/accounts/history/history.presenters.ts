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

/** From the actions of the log; what is not an event of the account itself booked an adjustment. */
const TYPE_OF_ACTION: Partial<Record<string, (typeof HISTORY_TYPES)[number]>> = {
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

export function presentRecord(row: HistoryRecord): z.infer<typeof AccountHistoryRecordDTO> {
  const { before, after } = JSON.parse(row.changes ?? '{}') as Images
  return { ...presentHistory(row), changes: fieldChanges(fieldsOf(before), fieldsOf(after)) }
}

interface Images {
  before?: AccountRow
  after?: AccountRow
}

/** What is not said of an account but computed, or its stamps. */
const NOT_ITS_OWN = new Set(
  [
    'id',
    'ownerId',
    'groupId',
    'permission',
    'version',
    'createdAt',
    'updatedAt',
    'lastTransactionDate',
  ].concat([
    'balance',
    'clearedBalance',
    'reconciledBalance',
    'openingBalance',
    'transactionCount',
  ]),
)

function fieldsOf(account: AccountRow | undefined): Record<string, unknown> | undefined {
  if (!account) {
    return undefined
  }
  const zero = { balanceMinor: 0, clearedMinor: 0, reconciledMinor: 0, openingMinor: 0 }
  const balances = { ...zero, accountId: account.id, transactionCount: 0, lastDate: null }
  return Object.fromEntries(
    Object.entries(presentAccount({ account, balances, seen: OWN })).filter(
      ([field]) => !NOT_ITS_OWN.has(field),
    ),
  )
}
