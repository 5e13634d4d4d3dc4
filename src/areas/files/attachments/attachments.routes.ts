import { MessageResponse, pathId } from '../../../http/fields.ts'
import {
  fileRequest,
  uploadOf,
  answerFile,
  answerFileToAnyone,
  fileResponses,
} from '../../../http/files.ts'
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
  DownloadLinkRequest,
  DownloadLinkResponse,
  linkPath,
  ListDownloadsQuery,
  DownloadsResponse,
  presentDownloadLink,
  presentAttachmentDownloads,
  LinkAttachmentRequest,
  CreateAttachmentQuery,
} from './attachments.contract.ts'
import * as attachments from './attachments.usecases.ts'
import * as links from './links/links.usecases.ts'
import * as upload from './upload.usecases.ts'

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

export const downloadAttachment = operation(
  {
    access: 'attachments.read',
    on: 'GET /attachment/{id}/download',
    summary: 'Download a file',
    writes: true,
    request: { params: attachmentId },
    responses: fileResponses,
    errors: [416],
  },
  (c) =>
    answerFile(
      c,
      (ctx) => attachments.findAttachment(ctx, c.req.valid('param').id),
      attachments.openAttachment,
    ),
)

export const createDownloadLink = operation({
  access: 'attachments.read',
  on: 'POST /attachment/{id}/download-link',
  summary: 'Create a download link',
  request: { params: attachmentId, ...jsonRequest(DownloadLinkRequest) },
  responses: { 201: json(DownloadLinkResponse, 'The link') },
  run: (ctx, { params, body }) => attachments.createDownloadLink(ctx, params.id, body.minutes),
  present: presentDownloadLink,
})

export const listDownloads = operation({
  access: 'attachments.read',
  on: 'GET /download',
  summary: 'List own downloads',
  request: { query: ListDownloadsQuery },
  responses: { 200: json(DownloadsResponse, 'One page of the list') },
  run: (ctx, { query }) => paged(ctx, query, (page) => attachments.listDownloads(ctx, page)),
  present: presentAttachmentDownloads,
})

export const followDownloadLink = operation(
  {
    access: 'public',
    on: 'GET /download/{token}',
    summary: 'Download a file by its link',
    writes: true,
    request: { params: linkPath },
    responses: fileResponses,
    errors: [404, 416],
  },
  (c) =>
    answerFileToAnyone(
      c,
      (ctx) => attachments.followLink(ctx, c.req.valid('param').token),
      (file, range) => attachments.openAttachment(file.ctx, file, range),
    ),
)
