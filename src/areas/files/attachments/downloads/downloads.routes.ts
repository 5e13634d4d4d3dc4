import { answer } from '../../../../http/answer.ts'
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
  'attachments.read',
  {
    method: 'get',
    path: '/attachment/{id}/download',
    operationId: 'downloadAttachment',
    summary: 'Download a file',
    tags: ['Files'],
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

export const createDownloadLink = operation(
  'attachments.read',
  {
    method: 'post',
    path: '/attachment/{id}/download-link',
    operationId: 'createDownloadLink',
    summary: 'Create a download link',
    tags: ['Files'],
    request: { params: attachmentId, ...jsonRequest(DownloadLinkRequest) },
    responses: { 201: json(DownloadLinkResponse, 'The link') },
  },
  (c) =>
    answer(c, 201, presentDownloadLink, (ctx) =>
      downloads.createDownloadLink(ctx, c.req.valid('param').id, c.req.valid('json').minutes),
    ),
)

export const listDownloads = operation(
  'attachments.read',
  {
    method: 'get',
    path: '/download',
    operationId: 'listDownloads',
    summary: 'List own downloads',
    tags: ['Files'],
    request: { query: ListDownloadsQuery },
    responses: { 200: json(DownloadsResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentDownloads, (ctx) =>
      paged(ctx, c.req.valid('query'), (page) => downloads.listDownloads(ctx, page)),
    ),
)

export const followDownloadLink = operation(
  'public',
  {
    method: 'get',
    path: '/download/{token}',
    operationId: 'followDownloadLink',
    summary: 'Download a file by its link',
    tags: ['Files'],
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
