import { answer, answerNothing } from '../../../http/answer.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../../http/route.ts'
import { presentWipe } from './wipe.presenters.ts'
import { WipeDataRequest, WipeResponse } from './wipe.schemas.ts'
import { findWipe, scheduleWipe, undoWipe } from './wipe.usecases.ts'

export const wipeRoutes = newArea()

export const wipeData = defineRoute('profile.delete', {
  method: 'post',
  path: '/user/data/wipe',
  operationId: 'wipeData',
  summary: 'Have own data of some kinds erased after 7 days; what comes in between stays',
  tags: ['User'],
  request: jsonRequest(WipeDataRequest),
  responses: { 202: json(WipeResponse, 'What is erased, and when') },
})
wipeRoutes.openapi(wipeData, (c) =>
  answer(c, 202, presentWipe, (ctx) => scheduleWipe(ctx, c.req.valid('json'))),
)

export const getWipe = defineRoute('profile.delete', {
  method: 'get',
  path: '/user/data/wipe',
  operationId: 'getWipe',
  summary: 'What own data is about to be erased',
  tags: ['User'],
  responses: { 200: json(WipeResponse, 'What is erased, and when') },
  errors: [404],
})
wipeRoutes.openapi(getWipe, (c) => answer(c, 200, presentWipe, findWipe))

export const undoDataWipe = defineRoute('profile.delete', {
  method: 'delete',
  path: '/user/data/wipe',
  operationId: 'undoWipe',
  summary: 'Keep the data after all: undo POST /user/data/wipe',
  tags: ['User'],
  responses: { 204: { description: 'Nothing is erased' } },
  errors: [404],
})
wipeRoutes.openapi(undoDataWipe, (c) => answerNothing(c, undoWipe))
