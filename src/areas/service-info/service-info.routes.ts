import { answerAnyone } from '../../http/answer.ts'
import { defineRoute, json, newArea } from '../../http/route.ts'
import { presentInfo } from './service-info.presenters.ts'
import { ServiceInfoResponse } from './service-info.schemas.ts'
import { findInfo } from './service-info.usecases.ts'

export const serviceInfoRoutes = newArea()

export const getServiceInfo = defineRoute('public', {
  method: 'get',
  path: '/service-info',
  operationId: 'getServiceInfo',
  summary: 'The limits of the service, and what is switched on',
  tags: ['Service'],
  responses: { 200: json(ServiceInfoResponse, 'The limits') },
})
serviceInfoRoutes.openapi(getServiceInfo, (c) => answerAnyone(c, 200, presentInfo, findInfo))
