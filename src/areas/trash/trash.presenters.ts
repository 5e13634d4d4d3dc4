import type { z } from '@hono/zod-openapi'
import { formatMoney } from '../../domain/money.ts'
import type { TrashItem, TrashKind } from '../../domain/owned-data.ts'
import { toInstant } from '../../http/fields.ts'
import type { Listed } from '../../http/pagination.ts'
import type { Erased } from '../../platform/owned-data.ts'
import { KEPT_MS } from './trash.rules.ts'
import type { ListTrashResponse } from './trash.schemas.ts'

export const presentTrash = ({
  rows,
  count,
  nextCursor,
}: Listed<TrashItem>): z.infer<typeof ListTrashResponse> => ({
  items: rows.map(presentItem),
  count,
  nextCursor,
})

export const presentItem = ({ amountMinor, deletedAt, ...item }: TrashItem) => ({
  kind: item.kind,
  id: item.id,
  name: item.name,
  deletedAt: toInstant(deletedAt),
  purgeAt: toInstant(deletedAt + KEPT_MS),
  accountId: item.accountId,
  date: item.date,
  amount:
    amountMinor === null || item.currency === null ? null : formatMoney(amountMinor, item.currency),
  currency: item.currency,
  transactionCount: item.transactionCount,
  version: item.version,
})

export const presentRestored = (kind: TrashKind) => ({ message: `The ${kind} was restored.` })

export const presentErased = ({ isDone }: Erased) => ({
  message: isDone ? 'It is gone for good.' : 'It is out of the trash, and being erased.',
})
