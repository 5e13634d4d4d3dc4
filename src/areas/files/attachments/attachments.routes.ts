import { MessageResponse, pathId } from '../../../http/fields.ts'
import { fileRequest, uploadOf } from '../../../http/files.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import {
  AttachmentResponse,
  AttachmentsResponse,
  AttachmentUsageResponse,
  ListAttachmentsQuery,
  presentAttachment,
  presentAttachments,
  presentUsage,
  UpdateAttachmentRequest,
} from './attachments.contract.ts'
import * as attachments from './attachments.usecases.ts'
import { LinkAttachmentRequest } from './links/links.contract.ts'
import * as links from './links/links.usecases.ts'
import { CreateAttachmentQuery } from './upload/upload.contract.ts'
import * as upload from './upload/upload.usecases.ts'

const attachmentId = pathId('att', 'file')

export const listAttachments = operation({
  access: 'attachments.read',
  on: 'GET /attachment',
  summary: 'List files',
  request: { query: ListAttachmentsQuery },
  responses: { 200: json(AttachmentsResponse, 'One page of the list') },
  run: (ctx, { query }) =>
    paged(ctx, query, (page) => attachments.listAttachments(ctx, query, page)),
  present: presentAttachments,
})

export const getAttachmentUsage = operation({
  access: 'attachments.read',
  on: 'GET /attachment/usage',
  summary: 'Get storage usage',
  responses: { 200: json(AttachmentUsageResponse, 'The usage by storage class') },
  run: (ctx) => attachments.getAttachmentUsage(ctx),
  present: presentUsage,
})

export const getAttachment = operation({
  access: 'attachments.read',
  on: 'GET /attachment/{id}',
  summary: 'Get the details of a file',
  request: { params: attachmentId },
  responses: { 200: json(AttachmentResponse, 'The file') },
  run: (ctx, { params }) => attachments.findAttachment(ctx, params.id),
  present: presentAttachment,
})

export const updateAttachment = operation({
  access: 'attachments.write',
  on: 'PATCH /attachment/{id}',
  summary: 'Update the details of a file',
  versioned: true,
  request: { params: attachmentId, ...jsonRequest(UpdateAttachmentRequest) },
  responses: { 200: json(AttachmentResponse, 'The file as it is now') },
  run: (ctx, { params, body }) => attachments.updateAttachment(ctx, params.id, body),
  present: presentAttachment,
})

export const deleteAttachment = operation({
  access: 'attachments.write',
  on: 'DELETE /attachment/{id}',
  summary: 'Move a file to the trash',
  versioned: true,
  request: { params: attachmentId },
  responses: { 200: json(MessageResponse, 'The item is in the trash') },
  run: (ctx, { params }) => attachments.deleteAttachment(ctx, params.id),
  present: () => ({ message: 'The file is in the trash.' }),
})

export const restoreAttachment = operation({
  access: 'attachments.write',
  on: 'POST /attachment/{id}/restore',
  summary: 'Restore a file from the trash',
  request: { params: attachmentId },
  responses: { 200: json(AttachmentResponse, 'The file') },
  run: (ctx, { params }) => attachments.restoreAttachment(ctx, params.id),
  present: presentAttachment,
})

export const linkAttachment = operation({
  access: 'attachments.write',
  on: 'POST /attachment/{id}/link',
  summary: 'Attach a file',
  request: { params: attachmentId, ...jsonRequest(LinkAttachmentRequest) },
  responses: { 201: json(AttachmentResponse, 'The file with its links') },
  run: (ctx, { params, body }) => links.linkAttachment(ctx, params.id, body),
  present: presentAttachment,
})

export const unlinkAttachment = operation({
  access: 'attachments.write',
  on: 'DELETE /attachment/{id}/link/{linkId}',
  summary: 'Detach a file',
  versioned: true,
  request: { params: attachmentId.extend({ linkId: pathId('lnk', 'link').shape.id }) },
  responses: { 200: json(MessageResponse, 'The file is detached') },
  run: (ctx, { params }) => links.unlinkAttachment(ctx, params.id, params.linkId),
  present: () => ({ message: 'The file is not attached to it any more.' }),
})

export const createAttachment = operation({
  access: 'attachments.write',
  on: 'POST /attachment',
  summary: 'Upload a file',
  request: { query: CreateAttachmentQuery, ...fileRequest() },
  responses: { 201: json(AttachmentResponse, 'The new file') },
  run: (ctx, { query, c }) => upload.createAttachment(ctx, uploadOf(c), query),
  present: presentAttachment,
})
