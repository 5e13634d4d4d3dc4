import { answer } from '../../../http/answer.ts'
import { pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, operation } from '../../../http/route.ts'
import {
  AuditLogResponse,
  ListAuditLogsQuery,
  AuditLogsResponse,
  ListOwnAuditLogQuery,
  OwnAuditLogResponse,
  presentLog,
  presentLogEntry,
  presentOwnLog,
} from './audit-log.contract.ts'
import * as auditLog from './audit-log.usecases.ts'

export const listOwnAuditLog = operation(
  'auditLog.read',
  {
    method: 'get',
    path: '/audit-log',
    operationId: 'listOwnAuditLog',
    summary: 'List own audit log entries',
    tags: ['Audit log'],
    request: { query: ListOwnAuditLogQuery },
    responses: { 200: json(OwnAuditLogResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentOwnLog, (ctx) => {
      const query = c.req.valid('query')
      return paged(ctx, query, (page) => auditLog.listOwnAuditLog(ctx, query, page))
    }),
)

export const listAuditLogs = operation(
  'allAuditLogs.read',
  {
    method: 'get',
    path: '/admin/audit-logs',
    operationId: 'listAuditLogs',
    summary: 'Search the audit log',
    tags: ['Audit log'],
    request: { query: ListAuditLogsQuery },
    responses: { 200: json(AuditLogsResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentLog, (ctx) => {
      const query = c.req.valid('query')
      return paged(ctx, query, (page) => auditLog.listAuditLogs(ctx, query, page))
    }),
)

export const getAuditLog = operation(
  'allAuditLogs.read',
  {
    method: 'get',
    path: '/admin/audit-logs/{id}',
    operationId: 'getAuditLog',
    summary: 'Get an audit log entry',
    tags: ['Audit log'],
    request: { params: pathId('log', 'entry') },
    responses: { 200: json(AuditLogResponse, 'The entry') },
  },
  (c) =>
    answer(c, 200, presentLogEntry, (ctx) => auditLog.getAuditLog(ctx, c.req.valid('param').id)),
)
