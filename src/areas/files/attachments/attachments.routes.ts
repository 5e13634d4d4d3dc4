import { answer } from '../../../http/answer.ts'
import { MessageResponse, pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import {
  AttachmentResponse,
  AttachmentUsageResponse,
  ListAttachmentsQuery,
  AttachmentsResponse,
  presentAttachment,
  presentAttachments,
  presentUsage,
  UpdateAttachmentRequest,
} from './attachments.contract.ts'
import * as attachments from './attachments.usecases.ts'

const attachmentId = pathId('att', 'file')

export const listAttachments = operation(
  'attachments.read',
  {
    method: 'get',
    path: '/attachment',
    operationId: 'listAttachments',
    summary: 'List files',
    tags: ['Files'],
    request: { query: ListAttachmentsQuery },
    responses: { 200: json(AttachmentsResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentAttachments, (ctx) => {
      const query = c.req.valid('query')
      return paged(ctx, query, (page) => attachments.listAttachments(ctx, query, page))
    }),
)

export const getAttachmentUsage = operation(
  'attachments.read',
  {
    method: 'get',
    path: '/attachment/usage',
    operationId: 'getAttachmentUsage',
    summary: 'Get storage usage',
    tags: ['Files'],
    responses: { 200: json(AttachmentUsageResponse, 'The usage by storage class') },
  },
  (c) => answer(c, 200, presentUsage, attachments.getAttachmentUsage),
)

export const getAttachment = operation(
  'attachments.read',
  {
    method: 'get',
    path: '/attachment/{id}',
    operationId: 'getAttachment',
    summary: 'Get the details of a file',
    tags: ['Files'],
    request: { params: attachmentId },
    responses: { 200: json(AttachmentResponse, 'The file') },
  },
  (c) =>
    answer(c, 200, presentAttachment, (ctx) =>
      attachments.findAttachment(ctx, c.req.valid('param').id),
    ),
)

export const updateAttachment = operation(
  'attachments.write',
  {
    method: 'patch',
    path: '/attachment/{id}',
    operationId: 'updateAttachment',
    summary: 'Update the details of a file',
    tags: ['Files'],
    versioned: true,
    request: { params: attachmentId, ...jsonRequest(UpdateAttachmentRequest) },
    responses: { 200: json(AttachmentResponse, 'The file as it is now') },
  },
  (c) =>
    answer(c, 200, presentAttachment, (ctx) =>
      attachments.updateAttachment(ctx, c.req.valid('param').id, c.req.valid('json')),
    ),
)

export const deleteAttachment = operation(
  'attachments.write',
  {
    method: 'delete',
    path: '/attachment/{id}',
    operationId: 'deleteAttachment',
    summary: 'Move a file to the trash',
    tags: ['Files'],
    versioned: true,
    request: { params: attachmentId },
    responses: { 200: json(MessageResponse, 'The item is in the trash') },
  },
  (c) =>
    answer(
      c,
      200,
      () => ({ message: 'The file is in the trash.' }),
      (ctx) => attachments.deleteAttachment(ctx, c.req.valid('param').id),
    ),
)

export const restoreAttachment = operation(
  'attachments.write',
  {
    method: 'post',
    path: '/attachment/{id}/restore',
    operationId: 'restoreAttachment',
    summary: 'Restore a file from the trash',
    tags: ['Files'],
    request: { params: attachmentId },
    responses: { 200: json(AttachmentResponse, 'The file') },
  },
  (c) =>
    answer(c, 200, presentAttachment, (ctx) =>
      attachments.restoreAttachment(ctx, c.req.valid('param').id),
    ),
)
