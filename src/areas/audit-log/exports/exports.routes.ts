import { answer } from '../../../http/answer.ts'
import { pathId } from '../../../http/fields.ts'
import { answerFile, fileResponses } from '../../../http/files.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../../http/route.ts'
import { presentExport, presentRequested } from './exports.presenters.ts'
import { AuditLogExport, AuditLogExportStarted, ExportAuditLogRequest } from './exports.schemas.ts'
import { findExport, findExportFile, openExport, requestExport } from './exports.usecases.ts'

export const auditExportRoutes = newArea()

const params = pathId('exp', 'export')

export const postAuditLogExport = defineRoute('allAuditLogs.read', {
  method: 'post',
  path: '/admin/audit-logs/export',
  operationId: 'exportAuditLog',
  summary: 'Have a file made of what a search of the log finds; one at a time',
  description: 'Account numbers and free text are masked for whoever lacks auditLogTexts.read.',
  tags: ['Audit log'],
  request: jsonRequest(ExportAuditLogRequest),
  responses: { 202: json(AuditLogExportStarted, 'The job that makes it') },
})
auditExportRoutes.openapi(postAuditLogExport, (c) =>
  answer(c, 202, presentRequested, (ctx) => requestExport(ctx, c.req.valid('json'))),
)

export const getAuditLogExport = defineRoute('allAuditLogs.read', {
  method: 'get',
  path: '/admin/audit-logs/export/{id}',
  operationId: 'getAuditLogExport',
  summary: 'How far an own export is',
  tags: ['Audit log'],
  request: { params },
  responses: { 200: json(AuditLogExport, 'The export') },
  errors: [404],
})
auditExportRoutes.openapi(getAuditLogExport, (c) =>
  answer(c, 200, presentExport, (ctx) => findExport(ctx, c.req.valid('param').id)),
)

export const getAuditLogExportFile = defineRoute('allAuditLogs.read', {
  method: 'get',
  path: '/admin/audit-logs/export/{id}/download',
  operationId: 'downloadAuditLogExport',
  summary: 'The file itself, for seven days; that it was fetched is logged',
  tags: ['Audit log'],
  request: { params },
  responses: fileResponses,
  errors: [404, 409, 416],
})
auditExportRoutes.openapi(getAuditLogExportFile, (c) =>
  answerFile(c, (ctx) => findExportFile(ctx, c.req.valid('param').id), openExport),
)
