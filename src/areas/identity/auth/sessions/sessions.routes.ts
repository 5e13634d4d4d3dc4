import { answer } from '../../../../http/answer.ts'
import { MessageResponse, pathId } from '../../../../http/fields.ts'
import { paged } from '../../../../http/pagination.ts'
import { json, operation } from '../../../../http/route.ts'
import {
  ListSessionsQuery,
  SessionsResponse,
  LogoutAllQuery,
  presentSessions,
  presentSignedOut,
  SignedOutResponse,
} from './sessions.contract.ts'
import * as sessions from './sessions.usecases.ts'

export const listSessions = operation(
  'sessions.read',
  {
    method: 'get',
    path: '/auth/session',
    operationId: 'listSessions',
    summary: 'List own sessions',
    tags: ['Authentication'],
    request: { query: ListSessionsQuery },
    responses: { 200: json(SessionsResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentSessions, (ctx) =>
      paged(ctx, c.req.valid('query'), (page) => sessions.listSessions(ctx, page)),
    ),
)

export const endSession = operation(
  'sessions.write',
  {
    method: 'delete',
    path: '/auth/session/{id}',
    operationId: 'endSession',
    summary: 'End a session',
    tags: ['Authentication'],
    request: { params: pathId('ses', 'session') },
    responses: { 200: json(MessageResponse, 'The session has ended') },
  },
  (c) =>
    answer(
      c,
      200,
      () => ({ message: 'The session has ended.' }),
      (ctx) => sessions.endSession(ctx, c.req.valid('param').id),
    ),
)

export const logoutAll = operation(
  'sessions.write',
  {
    method: 'post',
    path: '/auth/logout-all',
    operationId: 'logoutAll',
    summary: 'End all own sessions',
    tags: ['Authentication'],
    request: { query: LogoutAllQuery },
    responses: { 200: json(SignedOutResponse, 'Signed out everywhere') },
  },
  (c) => answer(c, 200, presentSignedOut, (ctx) => sessions.logoutAll(ctx, c.req.valid('query'))),
)
