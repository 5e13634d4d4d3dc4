import { json, operation } from '../../../../http/route.ts'
import { AuditLogVerification, presentVerification, VerifyAuditLogQuery } from './chain.contract.ts'
import * as chain from './chain.usecases.ts'

export const verifyAuditLog = operation({
  access: 'allAuditLogs.read',
  on: 'GET /admin/audit-logs/verify',
  summary: 'Verify the audit log',
  request: { query: VerifyAuditLogQuery },
  responses: { 200: json(AuditLogVerification, 'Whether the log is intact') },
  run: (ctx, { query }) => chain.verifyAuditLog(ctx, query.from),
  present: presentVerification,
})
