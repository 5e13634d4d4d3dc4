import { z } from '@hono/zod-openapi'

export const HealthResponse = z
  .object({
    status: z.literal('ok').openapi({
      description: 'State of the service. It is always `ok` when the service responds.',
      example: 'ok',
    }),
  })
  .openapi('HealthResponse')

export const VersionResponse = z
  .object({
    name: z.literal('coffer').openapi({ description: 'Name of the service.', example: 'coffer' }),
    version: z.string().openapi({ description: 'Version of the build.', example: '0.1.0' }),
    interfaceVersion: z.string().openapi({ description: 'Version of the API.', example: '1.0' }),
    build: z.enum(['dev', 'release']).openapi({
      description: 'Kind of the build. Development builds include the description of the API.',
      example: 'release',
    }),
  })
  .openapi('VersionResponse')
