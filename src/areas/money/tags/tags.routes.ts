import { answer } from '../../../http/answer.ts'
import { MessageResponse, pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import { presentTrashed, TrashedResponse } from '../../../http/trashed.ts'
import {
  CreateTagRequest,
  ListTagsQuery,
  TagsResponse,
  MergeTagRequest,
  presentTag,
  presentTags,
  TagResponse,
  UpdateTagRequest,
} from './tags.contract.ts'
import * as tags from './tags.usecases.ts'

const tagId = pathId('tag', 'tag')

export const listTags = operation(
  'tags.read',
  {
    method: 'get',
    path: '/tag',
    operationId: 'listTags',
    summary: 'List own tags',
    tags: ['Tags'],
    request: { query: ListTagsQuery },
    responses: { 200: json(TagsResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentTags, (ctx) => {
      const query = c.req.valid('query')
      return paged(ctx, query, (page) => tags.listTags(ctx, query, page))
    }),
)

export const createTag = operation(
  'tags.write',
  {
    method: 'post',
    path: '/tag',
    operationId: 'createTag',
    summary: 'Create a tag',
    tags: ['Tags'],
    request: jsonRequest(CreateTagRequest),
    responses: { 201: json(TagResponse, 'The new tag') },
  },
  (c) => answer(c, 201, presentTag, (ctx) => tags.createTag(ctx, c.req.valid('json'))),
)

export const getTag = operation(
  'tags.read',
  {
    method: 'get',
    path: '/tag/{id}',
    operationId: 'getTag',
    summary: 'Get a tag',
    tags: ['Tags'],
    request: { params: tagId },
    responses: { 200: json(TagResponse, 'The tag') },
  },
  (c) => answer(c, 200, presentTag, (ctx) => tags.getTag(ctx, c.req.valid('param').id)),
)

export const updateTag = operation(
  'tags.write',
  {
    method: 'put',
    path: '/tag/{id}',
    operationId: 'updateTag',
    summary: 'Update a tag',
    tags: ['Tags'],
    versioned: true,
    request: { params: tagId, ...jsonRequest(UpdateTagRequest) },
    responses: { 200: json(TagResponse, 'The tag as it is now') },
  },
  (c) =>
    answer(c, 200, presentTag, (ctx) =>
      tags.updateTag(ctx, c.req.valid('param').id, c.req.valid('json')),
    ),
)

export const deleteTag = operation(
  'tags.write',
  {
    method: 'delete',
    path: '/tag/{id}',
    operationId: 'deleteTag',
    summary: 'Delete a tag',
    tags: ['Tags'],
    versioned: true,
    request: { params: tagId },
    responses: { 200: json(TrashedResponse, 'The tag was deleted') },
  },
  (c) =>
    answer(
      c,
      200,
      (_, ctx) =>
        presentTrashed(ctx, { kind: 'tag', id: c.req.valid('param').id }, 'The tag was deleted.'),
      (ctx) => tags.deleteTag(ctx, c.req.valid('param').id),
    ),
)

export const mergeTag = operation(
  'tags.write',
  {
    method: 'post',
    path: '/tag/{id}/merge',
    operationId: 'mergeTag',
    summary: 'Merge a tag into this one',
    tags: ['Tags'],
    request: { params: tagId, ...jsonRequest(MergeTagRequest) },
    responses: { 200: json(MessageResponse, 'The tags were merged') },
  },
  (c) =>
    answer(
      c,
      200,
      () => ({ message: 'The tags were merged.' }),
      (ctx) => tags.mergeTag(ctx, c.req.valid('param').id, c.req.valid('json').tagId),
    ),
)
