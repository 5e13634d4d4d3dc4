import { z } from '@hono/zod-openapi'

export const HealthResponse = z
  .object({
    status: z.literal('ok').openapi({ description: 'The service answers.', example: 'ok' }),
  })
  .openapi('HealthResponse')

export const VersionResponse = z
  .object({
    name: z.literal('coffer').openapi({ description: 'The service.', example: 'coffer' }),
    version: z.string().openapi({ description: 'Version of the build.', example: '0.1.0' }),
    interfaceVersion: z
      .string()
      .openapi({ description: 'Version of the interface.', example: '1.0' }),
    build: z
      .enum(['dev', 'release'])
      .openapi({ description: 'Development builds carry a description.', example: 'release' }),
  })
  .openapi('VersionResponse')
