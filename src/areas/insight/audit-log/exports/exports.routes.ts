import { pathId } from '../../../../http/fields.ts'
import { answerFile, fileResponses } from '../../../../http/files.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import {
  AuditLogExport,
  AuditLogExportStarted,
  ExportAuditLogRequest,
  presentExport,
  presentRequested,
} from './exports.contract.ts'
import * as exports from './exports.usecases.ts'

const params = pathId('exp', 'export')

export const exportAuditLog = operation({
  access: 'allAuditLogs.read',
  on: 'POST /admin/audit-logs/export',
  summary: 'Export entries of the audit log',
  request: jsonRequest(ExportAuditLogRequest),
  responses: { 202: json(AuditLogExportStarted, 'The job that makes the file') },
  run: (ctx, { body }) => exports.exportAuditLog(ctx, body),
  present: presentRequested,
})

export const getAuditLogExport = operation({
  access: 'allAuditLogs.read',
  on: 'GET /admin/audit-logs/export/{id}',
  summary: 'Get an audit log export',
  request: { params },
  responses: { 200: json(AuditLogExport, 'The export') },
  run: (ctx, { params }) => exports.getAuditLogExport(ctx, params.id),
  present: presentExport,
})

export const downloadAuditLogExport = operation(
  {
    access: 'allAuditLogs.read',
    on: 'GET /admin/audit-logs/export/{id}/download',
    summary: 'Download an audit log export',
    writes: true,
    request: { params },
    responses: fileResponses,
    errors: [409, 416],
  },
  (c) =>
    answerFile(
      c,
      (ctx) => exports.findExportFile(ctx, c.req.valid('param').id),
      exports.openExport,
    ),
)
