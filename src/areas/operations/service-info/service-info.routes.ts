import { json, operation } from '../../../http/route.ts'
import { presentInfo, ServiceInfoResponse } from './service-info.contract.ts'
import * as serviceInfo from './service-info.usecases.ts'

export const getServiceInfo = operation({
  access: 'public',
  on: 'GET /service-info',
  summary: 'Get limits and features',
  responses: { 200: json(ServiceInfoResponse, 'The limits') },
  run: (ctx) => serviceInfo.getServiceInfo(ctx),
  present: presentInfo,
})
