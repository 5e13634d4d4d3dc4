import { pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, operation, jsonRequest } from '../../../http/route.ts'
import { answerFile, fileResponses } from '../../../http/files.ts'
import {
  AuditLogResponse,
  AuditLogsResponse,
  ListAuditLogsQuery,
  ListOwnAuditLogQuery,
  OwnAuditLogResponse,
  presentLog,
  presentLogEntry,
  presentOwnLog,
  AuditLogExport,
  AuditLogExportStarted,
  ExportAuditLogRequest,
  presentLogExport,
  presentRequestedLogExport,
} from './audit-log.contract.ts'
import * as auditLog from './audit-log.usecases.ts'
import {
  AuditLogVerification,
  presentVerification,
  VerifyAuditLogQuery,
} from './chain/chain.contract.ts'
import * as chain from './chain/chain.usecases.ts'
import * as exports from './exports/exports.usecases.ts'

export const listOwnAuditLog = operation({
  access: 'auditLog.read',
  on: 'GET /audit-log',
  summary: 'List own audit log entries',
  request: { query: ListOwnAuditLogQuery },
  responses: { 200: json(OwnAuditLogResponse, 'One page of the list') },
  run: (ctx, { query }) => paged(ctx, query, (page) => auditLog.listOwnAuditLog(ctx, query, page)),
  present: presentOwnLog,
})

export const listAuditLogs = operation({
  access: 'allAuditLogs.read',
  on: 'GET /admin/audit-logs',
  summary: 'Search the audit log',
  request: { query: ListAuditLogsQuery },
  responses: { 200: json(AuditLogsResponse, 'One page of the list') },
  run: (ctx, { query }) => paged(ctx, query, (page) => auditLog.listAuditLogs(ctx, query, page)),
  present: presentLog,
})

const params = pathId('exp', 'export')

export const exportAuditLog = operation({
  access: 'allAuditLogs.read',
  on: 'POST /admin/audit-logs/export',
  summary: 'Export entries of the audit log',
  request: jsonRequest(ExportAuditLogRequest),
  responses: { 202: json(AuditLogExportStarted, 'The job that makes the file') },
  run: (ctx, { body }) => exports.exportAuditLog(ctx, body),
  present: presentRequestedLogExport,
})

export const getAuditLogExport = operation({
  access: 'allAuditLogs.read',
  on: 'GET /admin/audit-logs/export/{id}',
  summary: 'Get an audit log export',
  request: { params },
  responses: { 200: json(AuditLogExport, 'The export') },
  run: (ctx, { params }) => exports.getAuditLogExport(ctx, params.id),
  present: presentLogExport,
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
      (ctx) => exports.findLogExportFile(ctx, c.req.valid('param').id),
      exports.openExport,
    ),
)

export const getAuditLog = operation({
  access: 'allAuditLogs.read',
  on: 'GET /admin/audit-logs/{id}',
  summary: 'Get an audit log entry',
  request: { params: pathId('log', 'entry') },
  responses: { 200: json(AuditLogResponse, 'The entry') },
  run: (ctx, { params }) => auditLog.getAuditLog(ctx, params.id),
  present: presentLogEntry,
})

export const verifyAuditLog = operation({
  access: 'allAuditLogs.read',
  on: 'GET /admin/audit-logs/verify',
  summary: 'Verify the audit log',
  request: { query: VerifyAuditLogQuery },
  responses: { 200: json(AuditLogVerification, 'Whether the log is intact') },
  run: (ctx, { query }) => chain.verifyAuditLog(ctx, query.from),
  present: presentVerification,
})
