import pkg from '../../../../package.json' with { type: 'json' }
import { DEV_BUILD } from '../../../env.ts'
import { INTERFACE_VERSION } from '../../../http/openapi.ts'
import { json, operation } from '../../../http/route.ts'
import { HealthResponse, VersionResponse } from './service.contract.ts'
import * as service from './service.usecases.ts'

export const getHealth = operation(
  {
    access: 'public',
    on: 'GET /health',
    summary: 'Check that the process answers',
    responses: { 200: json(HealthResponse, 'The process responds') },
  },
  (c) => c.json({ status: 'ok' as const }, 200),
)

export const getReadiness = operation({
  access: 'public',
  on: 'GET /health/ready',
  summary: 'Check that the service is ready',
  writes: true,
  responses: { 200: json(HealthResponse, 'Ready for requests') },
  run: (ctx) => service.requireServiceReady(ctx),
  present: () => ({ status: 'ok' as const }),
})

export const getVersion = operation(
  {
    access: 'public',
    on: 'GET /version',
    summary: 'Get the version',
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
