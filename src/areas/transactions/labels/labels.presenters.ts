import type { z } from '@hono/zod-openapi'
import type { Listed } from '../../../http/pagination.ts'
import type { LabelFilter, LabelRow } from './labels.queries.ts'
import type { ListLabelsResponse } from './labels.schemas.ts'

export const presentLabels = ({
  rows,
  count,
  nextCursor,
}: Listed<LabelRow & Pick<LabelFilter, 'kind'>>): z.infer<typeof ListLabelsResponse> => ({
  labels: rows.map((row) => ({ ...row, archived: row.archived === 1 })),
  count,
  nextCursor,
})
