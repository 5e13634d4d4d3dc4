import { z } from '@hono/zod-openapi'
import {
  archivedInQuery,
  color,
  colorInput,
  id,
  idInput,
  nameInput,
  textField,
  presentStamps,
  stamps,
  integerField,
  booleanField,
} from '../../../http/fields.ts'
import { pageQuery, pageResponse, presentPage } from '../../../http/pagination.ts'
import type { TagRow } from './tags.queries.ts'

export const ListTagsQuery = z.strictObject({
  archived: archivedInQuery.optional(),
  ...pageQuery(),
})

const name = nameInput(
  100,
  'Name of the tag; unique among your own tags, regardless of case and width.',
  'Ireland 2026',
)
const archived = booleanField(
  'Whether the tag is archived, that is, kept for old transactions only.',
  false,
)

export const CreateTagRequest = z
  .strictObject({ name, color: colorInput().optional(), archived: archived.default(false) })
  .openapi('CreateTagRequest')

export const UpdateTagRequest = z
  .strictObject({
    name: name.optional(),
    color: colorInput().nullable().optional(),
    archived: archived.optional(),
  })
  .openapi('UpdateTagRequest')

export const MergeTagRequest = z
  .strictObject({ tagId: idInput('tag', 'Tag that is merged into this one.') })
  .openapi('MergeTagRequest')

export const TagResponse = z
  .object({
    id: id('tag', 'Id of the tag.'),
    name: textField('Name of the tag; unique among the user’s own tags.', 'Ireland 2026'),
    color: color(),
    archived,
    transactionCount: integerField(
      'Number of transactions with the tag, on the transaction or on a part, including those in the trash.',
      12,
    ),
    ...stamps,
  })
  .openapi('TagResponse')

export const TagsResponse = pageResponse(
  'tags',
  TagResponse,
  'One page of tags, in order of creation.',
).openapi('TagsResponse')

export const presentTag = (tag: TagRow): z.infer<typeof TagResponse> => ({
  id: tag.id,
  name: tag.name,
  color: tag.color,
  archived: tag.archived,
  transactionCount: tag.transactionCount,
  ...presentStamps(tag),
})

export const presentTags = presentPage('tags', presentTag)
