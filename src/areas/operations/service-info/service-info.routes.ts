import { answerAnyone } from '../../../http/answer.ts'
import { json, operation } from '../../../http/route.ts'
import { presentInfo, ServiceInfoResponse } from './service-info.contract.ts'
import * as serviceInfo from './service-info.usecases.ts'

export const getServiceInfo = operation(
  'public',
  {
    method: 'get',
    path: '/service-info',
    operationId: 'getServiceInfo',
    summary: 'Get limits and features',
    tags: ['Service'],
    responses: { 200: json(ServiceInfoResponse, 'The limits') },
  },
  (c) => answerAnyone(c, 200, presentInfo, serviceInfo.getServiceInfo),
)
