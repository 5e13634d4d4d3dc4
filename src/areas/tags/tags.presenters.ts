import type { z } from '@hono/zod-openapi'
import { presentStamps } from '../../http/fields.ts'
import type { Listed } from '../../http/pagination.ts'
import type { TagRow } from './tags.queries.ts'
import type { ListTagsResponse, TagResponse } from './tags.schemas.ts'

export const presentTag = (tag: TagRow): z.infer<typeof TagResponse> => ({
  id: tag.id,
  name: tag.name,
  color: tag.color,
  archived: tag.archived,
  transactionCount: tag.transactionCount,
  ...presentStamps(tag),
})

export const presentTags = ({
  rows,
  count,
  nextCursor,
}: Listed<TagRow>): z.infer<typeof ListTagsResponse> => ({
  tags: rows.map(presentTag),
  count,
  nextCursor,
})
