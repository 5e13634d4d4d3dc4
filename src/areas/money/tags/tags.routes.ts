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

export const listTags = operation({
  access: 'tags.read',
  on: 'GET /tag',
  summary: 'List own tags',
  request: { query: ListTagsQuery },
  responses: { 200: json(TagsResponse, 'One page of the list') },
  run: (ctx, { query }) => paged(ctx, query, (page) => tags.listTags(ctx, query, page)),
  present: presentTags,
})

export const createTag = operation({
  access: 'tags.write',
  on: 'POST /tag',
  summary: 'Create a tag',
  request: jsonRequest(CreateTagRequest),
  responses: { 201: json(TagResponse, 'The new tag') },
  run: (ctx, { body }) => tags.createTag(ctx, body),
  present: presentTag,
})

export const getTag = operation({
  access: 'tags.read',
  on: 'GET /tag/{id}',
  summary: 'Get a tag',
  request: { params: tagId },
  responses: { 200: json(TagResponse, 'The tag') },
  run: (ctx, { params }) => tags.getTag(ctx, params.id),
  present: presentTag,
})

export const updateTag = operation({
  access: 'tags.write',
  on: 'PUT /tag/{id}',
  summary: 'Update a tag',
  versioned: true,
  request: { params: tagId, ...jsonRequest(UpdateTagRequest) },
  responses: { 200: json(TagResponse, 'The tag as it is now') },
  run: (ctx, { params, body }) => tags.updateTag(ctx, params.id, body),
  present: presentTag,
})

export const deleteTag = operation({
  access: 'tags.write',
  on: 'DELETE /tag/{id}',
  summary: 'Delete a tag',
  versioned: true,
  request: { params: tagId },
  responses: { 200: json(TrashedResponse, 'The tag was deleted') },
  run: (ctx, { params }) => tags.deleteTag(ctx, params.id),
  present: (_, ctx, { params }) =>
    presentTrashed(ctx, { kind: 'tag', id: params.id }, 'The tag was deleted.'),
})

export const mergeTag = operation({
  access: 'tags.write',
  on: 'POST /tag/{id}/merge',
  summary: 'Merge a tag into this one',
  request: { params: tagId, ...jsonRequest(MergeTagRequest) },
  responses: { 200: json(MessageResponse, 'The tags were merged') },
  run: (ctx, { params, body }) => tags.mergeTag(ctx, params.id, body.tagId),
  present: () => ({ message: 'The tags were merged.' }),
})
