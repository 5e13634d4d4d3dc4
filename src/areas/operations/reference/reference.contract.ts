import { z } from '@hono/zod-openapi'
import { PERMISSION_KEYS } from '../../../domain/permissions.ts'
import { count, textField, booleanField } from '../../../http/fields.ts'
import type { OperationEntry } from '../../../http/registry.ts'

export const APIReferenceResponse = z
  .object({
    routes: z
      .array(
        z.object({
          method: textField('In capitals.', 'GET'),
          path: textField('With its parameters in braces.', '/account/{id}'),
          operationId: textField('Name of the operation.', 'getAccountByID'),
          summary: textField('What it does.', 'One account'),
          area: textField('The area that it belongs to.', 'Accounts'),
          public: booleanField('Whether it can be called without a token.', false),
          permission: z.enum(PERMISSION_KEYS).nullable().openapi({
            description: 'What it needs; null on public ones.',
            example: 'accounts.read',
          }),
        }),
      )
      .openapi({ description: 'Every route, as the table says that guards them.' }),
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
