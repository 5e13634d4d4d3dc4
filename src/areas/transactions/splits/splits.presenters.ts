import type { z } from '@hono/zod-openapi'
import { type LedgerRow } from '../../../ledger/ledger.public.ts'
import { presentTransaction } from '../../transaction-views/transaction-views.public.ts'
import type { ListSplitsResponse } from './splits.schemas.ts'

export function presentSplits(row: LedgerRow): z.infer<typeof ListSplitsResponse> {
  const { splits } = presentTransaction(row)
  return { splits, count: splits.length }
}
