import type { z } from '@hono/zod-openapi'
import type { Operation } from '../../http/registry.ts'
import type { APIReferenceResponse } from './reference.schemas.ts'

export const presentReference = (
  operations: readonly Operation[],
): z.infer<typeof APIReferenceResponse> => ({
  routes: operations.map(({ method, path, operationId, summary, area, access }) => ({
    method: method.toUpperCase(),
    path,
    operationId,
    summary,
    area,
    public: access === 'public',
    permission: access === 'public' ? null : access,
  })),
  count: operations.length,
})
