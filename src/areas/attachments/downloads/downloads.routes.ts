import { answer } from '../../../http/answer.ts'
import { pathId } from '../../../http/fields.ts'
import { answerFile, answerFileToAnyone, fileResponses } from '../../../http/files.ts'
import { paged } from '../../../http/pagination.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../../http/route.ts'
import { presentDownloadLink, presentDownloads } from './downloads.presenters.ts'
import {
  DownloadLinkRequest,
  DownloadLinkResponse,
  linkPath,
  ListDownloadsQuery,
  ListDownloadsResponse,
} from './downloads.schemas.ts'
import { findAttachment } from '../attachments.usecases.ts'
import {
  findDownloads,
  followLink,
  linkToAttachment,
  openAttachment,
} from './downloads.usecases.ts'

export const downloadRoutes = newArea()

const attachmentId = pathId('att', 'file')

export const downloadAttachment = defineRoute('attachments.read', {
  method: 'get',
  path: '/attachment/{id}/download',
  operationId: 'downloadAttachment',
  summary: 'The bytes of a file, or one range of them; the log tells who got them',
  tags: ['Files'],
  request: { params: attachmentId },
  responses: fileResponses,
  errors: [404, 416],
})
downloadRoutes.openapi(downloadAttachment, (c) =>
  answerFile(c, (ctx) => findAttachment(ctx, c.req.valid('param').id), openAttachment),
)

export const postDownloadLink = defineRoute('attachments.read', {
  method: 'post',
  path: '/attachment/{id}/download-link',
  operationId: 'createDownloadLink',
  summary: 'A short-lived link that needs no signing in, and lets in no further than the caller',
  tags: ['Files'],
  request: { params: attachmentId, ...jsonRequest(DownloadLinkRequest) },
  responses: { 201: json(DownloadLinkResponse, 'The link') },
  errors: [404],
})
downloadRoutes.openapi(postDownloadLink, (c) =>
  answer(c, 201, presentDownloadLink, (ctx) =>
    linkToAttachment(ctx, c.req.valid('param').id, c.req.valid('json').minutes),
  ),
)

export const listDownloads = defineRoute('attachments.read', {
  method: 'get',
  path: '/download',
  operationId: 'listDownloads',
  summary: 'What the caller has downloaded, the last first',
  tags: ['Files'],
  request: { query: ListDownloadsQuery },
  responses: { 200: json(ListDownloadsResponse, 'One page of it') },
})
downloadRoutes.openapi(listDownloads, (c) =>
  answer(c, 200, presentDownloads, (ctx) =>
    paged(ctx, c.req.valid('query'), (page) => findDownloads(ctx, page)),
  ),
)

export const followDownloadLink = defineRoute('public', {
  method: 'get',
  path: '/download/{token}',
  operationId: 'followDownloadLink',
  summary: 'The file of a link, while who made it sees it',
  tags: ['Files'],
  request: { params: linkPath },
  responses: fileResponses,
  errors: [404, 416],
})
downloadRoutes.openapi(followDownloadLink, (c) =>
  answerFileToAnyone(
    c,
    (ctx) => followLink(ctx, c.req.valid('param').token),
    (file, range) => openAttachment(file.ctx, file, range),
  ),
)
