import { answer } from '../../http/answer.ts'
import { MessageResponse, pathId } from '../../http/fields.ts'
import { paged } from '../../http/pagination.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../http/route.ts'
import { presentTag, presentTags } from './tags.presenters.ts'
import {
  CreateTagRequest,
  ListTagsQuery,
  ListTagsResponse,
  MergeTagRequest,
  TagResponse,
  UpdateTagRequest,
} from './tags.schemas.ts'
import { addTag, changeTag, findTag, findTags, mergeTag, removeTag } from './tags.usecases.ts'

export const tagRoutes = newArea()

const tagId = pathId('tag', 'tag')

export const listTags = defineRoute('tags.read', {
  method: 'get',
  path: '/tag',
  operationId: 'listTags',
  summary: 'The own tags with their usage, in order of creation',
  tags: ['Tags'],
  request: { query: ListTagsQuery },
  responses: { 200: json(ListTagsResponse, 'One page of them') },
})
tagRoutes.openapi(listTags, (c) =>
  answer(c, 200, presentTags, (ctx) => {
    const query = c.req.valid('query')
    return paged(ctx, query, (page) => findTags(ctx, query, page))
  }),
)

export const createTag = defineRoute('tags.write', {
  method: 'post',
  path: '/tag',
  operationId: 'createTag',
  summary: 'Create a tag',
  tags: ['Tags'],
  request: jsonRequest(CreateTagRequest),
  responses: { 201: json(TagResponse, 'The new tag') },
})
tagRoutes.openapi(createTag, (c) =>
  answer(c, 201, presentTag, (ctx) => addTag(ctx, c.req.valid('json'))),
)

export const getTag = defineRoute('tags.read', {
  method: 'get',
  path: '/tag/{id}',
  operationId: 'getTag',
  summary: 'One tag',
  tags: ['Tags'],
  request: { params: tagId },
  responses: { 200: json(TagResponse, 'The tag') },
  errors: [404],
})
tagRoutes.openapi(getTag, (c) =>
  answer(c, 200, presentTag, (ctx) => findTag(ctx, c.req.valid('param').id)),
)

export const updateTag = defineRoute('tags.write', {
  method: 'put',
  path: '/tag/{id}',
  operationId: 'updateTag',
  summary: 'Change the fields that are sent',
  tags: ['Tags'],
  versioned: true,
  request: { params: tagId, ...jsonRequest(UpdateTagRequest) },
  responses: { 200: json(TagResponse, 'The tag as it is now') },
  errors: [404],
})
tagRoutes.openapi(updateTag, (c) =>
  answer(c, 200, presentTag, (ctx) => changeTag(ctx, c.req.valid('param').id, c.req.valid('json'))),
)

export const deleteTag = defineRoute('tags.write', {
  method: 'delete',
  path: '/tag/{id}',
  operationId: 'deleteTag',
  summary: 'Delete a tag, and take it off everything that has it',
  tags: ['Tags'],
  versioned: true,
  request: { params: tagId },
  responses: { 200: json(MessageResponse, 'The tag is gone') },
  errors: [404],
})
tagRoutes.openapi(deleteTag, (c) =>
  answer(
    c,
    200,
    () => ({ message: 'The tag was deleted.' }),
    (ctx) => removeTag(ctx, c.req.valid('param').id),
  ),
)

export const postTagMerge = defineRoute('tags.write', {
  method: 'post',
  path: '/tag/{id}/merge',
  operationId: 'mergeTag',
  summary: 'Put this tag in the place of another one, which is gone then',
  tags: ['Tags'],
  request: { params: tagId, ...jsonRequest(MergeTagRequest) },
  responses: { 200: json(MessageResponse, 'The other tag is gone') },
  errors: [404],
})
tagRoutes.openapi(postTagMerge, (c) =>
  answer(
    c,
    200,
    () => ({ message: 'The tags were merged.' }),
    (ctx) => mergeTag(ctx, c.req.valid('param').id, c.req.valid('json').tagId),
  ),
)
