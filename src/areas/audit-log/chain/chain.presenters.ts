import type { z } from '@hono/zod-openapi'
import type { AuditLogVerification } from './chain.schemas.ts'
import type { Verification } from './chain.usecases.ts'

export const presentVerification = (found: Verification): z.infer<typeof AuditLogVerification> => ({
  valid: found.broken === null,
  verified: found.verified,
  redacted: found.redacted,
  sealed: found.sealed,
  unsealed: found.unsealed,
  next: found.next,
  head: found.head && { number: found.head.number, hash: found.head.hash },
  broken: found.broken,
})
