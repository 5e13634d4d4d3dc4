import { answer } from '../../../../http/answer.ts'
import { json, operation } from '../../../../http/route.ts'
import { AuditLogVerification, presentVerification, VerifyAuditLogQuery } from './chain.contract.ts'
import * as chain from './chain.usecases.ts'

export const verifyAuditLog = operation(
  'allAuditLogs.read',
  {
    method: 'get',
    path: '/admin/audit-logs/verify',
    operationId: 'verifyAuditLog',
    summary: 'Verify the audit log',
    tags: ['Audit log'],
    request: { query: VerifyAuditLogQuery },
    responses: { 200: json(AuditLogVerification, 'Whether the log is intact') },
  },
  (c) =>
    answer(c, 200, presentVerification, (ctx) =>
      chain.verifyAuditLog(ctx, c.req.valid('query').from),
    ),
)
