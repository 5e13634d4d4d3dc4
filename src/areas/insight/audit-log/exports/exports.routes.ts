import { answer } from '../../../../http/answer.ts'
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

export const exportAuditLog = operation(
  'allAuditLogs.read',
  {
    method: 'post',
    path: '/admin/audit-logs/export',
    operationId: 'exportAuditLog',
    summary: 'Export entries of the audit log',
    tags: ['Audit log'],
    request: jsonRequest(ExportAuditLogRequest),
    responses: { 202: json(AuditLogExportStarted, 'The job that makes the file') },
  },
  (c) =>
    answer(c, 202, presentRequested, (ctx) => exports.exportAuditLog(ctx, c.req.valid('json'))),
)

export const getAuditLogExport = operation(
  'allAuditLogs.read',
  {
    method: 'get',
    path: '/admin/audit-logs/export/{id}',
    operationId: 'getAuditLogExport',
    summary: 'Get an audit log export',
    tags: ['Audit log'],
    request: { params },
    responses: { 200: json(AuditLogExport, 'The export') },
  },
  (c) =>
    answer(c, 200, presentExport, (ctx) => exports.getAuditLogExport(ctx, c.req.valid('param').id)),
)

export const downloadAuditLogExport = operation(
  'allAuditLogs.read',
  {
    method: 'get',
    path: '/admin/audit-logs/export/{id}/download',
    operationId: 'downloadAuditLogExport',
    summary: 'Download an audit log export',
    tags: ['Audit log'],
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
