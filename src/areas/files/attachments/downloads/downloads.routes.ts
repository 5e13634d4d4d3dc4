import { pathId } from '../../../../http/fields.ts'
import { answerFile, answerFileToAnyone, fileResponses } from '../../../../http/files.ts'
import { paged } from '../../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import {
  DownloadLinkRequest,
  DownloadLinkResponse,
  linkPath,
  ListDownloadsQuery,
  DownloadsResponse,
  presentDownloadLink,
  presentDownloads,
} from './downloads.contract.ts'
import * as attachments from '../attachments.usecases.ts'
import * as downloads from './downloads.usecases.ts'

const attachmentId = pathId('att', 'file')

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
      downloads.openAttachment,
    ),
)

export const createDownloadLink = operation({
  access: 'attachments.read',
  on: 'POST /attachment/{id}/download-link',
  summary: 'Create a download link',
  request: { params: attachmentId, ...jsonRequest(DownloadLinkRequest) },
  responses: { 201: json(DownloadLinkResponse, 'The link') },
  run: (ctx, { params, body }) => downloads.createDownloadLink(ctx, params.id, body.minutes),
  present: presentDownloadLink,
})

export const listDownloads = operation({
  access: 'attachments.read',
  on: 'GET /download',
  summary: 'List own downloads',
  request: { query: ListDownloadsQuery },
  responses: { 200: json(DownloadsResponse, 'One page of the list') },
  run: (ctx, { query }) => paged(ctx, query, (page) => downloads.listDownloads(ctx, page)),
  present: presentDownloads,
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
      (ctx) => downloads.followLink(ctx, c.req.valid('param').token),
      (file, range) => downloads.openAttachment(file.ctx, file, range),
    ),
)
