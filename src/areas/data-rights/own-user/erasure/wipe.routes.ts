import { answerNothing } from '../../../../http/answer.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { presentWipe, WipeDataRequest, WipeResponse } from './wipe.contract.ts'
import * as erasure from './erasure.usecases.ts'

export const wipeData = operation({
  access: 'profile.delete',
  on: 'POST /user/data/wipe',
  summary: 'Schedule a wipe of own data',
  request: jsonRequest(WipeDataRequest),
  responses: { 202: json(WipeResponse, 'The data to be erased, and the time') },
  run: (ctx, { body }) => erasure.wipeData(ctx, body),
  present: presentWipe,
})

export const getWipe = operation({
  access: 'profile.delete',
  on: 'GET /user/data/wipe',
  summary: 'Get the scheduled wipe of data',
  responses: { 200: json(WipeResponse, 'The data to be erased, and the time') },
  errors: [404],
  run: (ctx) => erasure.getWipe(ctx),
  present: presentWipe,
})

export const undoWipe = operation(
  {
    access: 'profile.delete',
    on: 'DELETE /user/data/wipe',
    summary: 'Undo the wipe of own data',
    responses: { 204: { description: 'The wipe was cancelled' } },
    errors: [404],
  },
  (c) => answerNothing(c, erasure.undoWipe),
)
