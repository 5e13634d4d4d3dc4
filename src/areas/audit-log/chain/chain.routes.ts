import { answer } from '../../../http/answer.ts'
import { defineRoute, json, newArea } from '../../../http/route.ts'
import { presentVerification } from './chain.presenters.ts'
import { AuditLogVerification, VerifyAuditLogQuery } from './chain.schemas.ts'
import { verifyLog } from './chain.usecases.ts'

export const auditChainRoutes = newArea()

export const verifyAuditLog = defineRoute('allAuditLogs.read', {
  method: 'get',
  path: '/admin/audit-logs/verify',
  operationId: 'verifyAuditLog',
  summary: 'Compare the log with its hash chain, 1,000 commits at once',
  tags: ['Audit log'],
  request: { query: VerifyAuditLogQuery },
  responses: { 200: json(AuditLogVerification, 'Whether it is as it was') },
})
auditChainRoutes.openapi(verifyAuditLog, (c) =>
  answer(c, 200, presentVerification, (ctx) => verifyLog(ctx, c.req.valid('query').from)),
)
