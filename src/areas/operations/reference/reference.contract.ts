import { z } from '@hono/zod-openapi'
import { PERMISSION_KEYS } from '../../../domain/permissions.ts'
import { count, textField, booleanField } from '../../../http/fields.ts'
import type { OperationEntry } from '../../../http/registry.ts'

export const APIReferenceResponse = z
  .object({
    routes: z
      .array(
        z.object({
          method: textField('HTTP method in capitals.', 'GET'),
          path: textField('Path with its parameters in braces.', '/account/{id}'),
          operationId: textField('Name of the operation.', 'getAccountByID'),
          summary: textField('Summary of the operation.', 'One account'),
          area: textField('Area that the operation belongs to.', 'Accounts'),
          public: booleanField('Whether the operation can be called without a token.', false),
          permission: z.enum(PERMISSION_KEYS).nullable().openapi({
            description: 'Permission that the operation requires; null for public operations.',
            example: 'accounts.read',
          }),
        }),
      )
      .openapi({ description: 'All routes, from the same table that protects them.' }),
    count,
  })
  .openapi('APIReferenceResponse')

export const presentReference = (
  operations: readonly OperationEntry[],
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
