import { answer, answerNothing } from '../../../../http/answer.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { presentWipe, WipeDataRequest, WipeResponse } from './wipe.contract.ts'
import * as wipe from './wipe.usecases.ts'

export const wipeData = operation(
  'profile.delete',
  {
    method: 'post',
    path: '/user/data/wipe',
    operationId: 'wipeData',
    summary: 'Schedule a wipe of own data',
    tags: ['User'],
    request: jsonRequest(WipeDataRequest),
    responses: { 202: json(WipeResponse, 'The data to be erased, and the time') },
  },
  (c) => answer(c, 202, presentWipe, (ctx) => wipe.wipeData(ctx, c.req.valid('json'))),
)

export const getWipe = operation(
  'profile.delete',
  {
    method: 'get',
    path: '/user/data/wipe',
    operationId: 'getWipe',
    summary: 'Get the scheduled wipe of data',
    tags: ['User'],
    responses: { 200: json(WipeResponse, 'The data to be erased, and the time') },
    errors: [404],
  },
  (c) => answer(c, 200, presentWipe, wipe.getWipe),
)

export const undoWipe = operation(
  'profile.delete',
  {
    method: 'delete',
    path: '/user/data/wipe',
    operationId: 'undoWipe',
    summary: 'Undo the wipe of own data',
    tags: ['User'],
    responses: { 204: { description: 'The wipe was cancelled' } },
    errors: [404],
  },
  (c) => answerNothing(c, wipe.undoWipe),
)
