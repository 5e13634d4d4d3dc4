import pkg from '../../../../package.json' with { type: 'json' }
import { DEV_BUILD } from '../../../env.ts'
import { answerAnyone } from '../../../http/answer.ts'
import { INTERFACE_VERSION } from '../../../http/openapi.ts'
import { json, operation } from '../../../http/route.ts'
import { HealthResponse, VersionResponse } from './service.contract.ts'
import * as service from './service.usecases.ts'

export const getHealth = operation(
  'public',
  {
    method: 'get',
    path: '/health',
    operationId: 'getHealth',
    summary: 'Check that the process answers',
    tags: ['Service'],
    responses: { 200: json(HealthResponse, 'The process responds') },
  },
  (c) => c.json({ status: 'ok' as const }, 200),
)

export const getReadiness = operation(
  'public',
  {
    method: 'get',
    path: '/health/ready',
    operationId: 'getReadiness',
    summary: 'Check that the service is ready',
    tags: ['Service'],
    writes: true,
    responses: { 200: json(HealthResponse, 'Ready for requests') },
  },
  (c) => answerAnyone(c, 200, () => ({ status: 'ok' as const }), service.requireReady),
)

export const getVersion = operation(
  'public',
  {
    method: 'get',
    path: '/version',
    operationId: 'getVersion',
    summary: 'Get the version',
    tags: ['Service'],
    responses: { 200: json(VersionResponse, 'The versions') },
  },
  (c) =>
    c.json(
      {
        name: 'coffer' as const,
        version: pkg.version,
        interfaceVersion: INTERFACE_VERSION,
        build: DEV_BUILD ? ('dev' as const) : ('release' as const),
      },
      200,
    ),
)
