import { z } from '@hono/zod-openapi'
import { PERMISSION_KEYS } from '../../domain/permissions.ts'
import { count, output, yes } from '../../http/fields.ts'

export const APIReferenceResponse = z
  .object({
    routes: z
      .array(
        z.object({
          method: output('In capitals.', 'GET'),
          path: output('With its parameters in braces.', '/account/{id}'),
          operationId: output('Name of the operation.', 'getAccountByID'),
          summary: output('What it does.', 'One account'),
          area: output('The area that it belongs to.', 'Accounts'),
          public: yes('Whether it can be called without a token.', false),
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
