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

export const listSessions = operation({
  access: 'sessions.read',
  on: 'GET /auth/session',
  summary: 'List own sessions',
  request: { query: ListSessionsQuery },
  responses: { 200: json(SessionsResponse, 'One page of the list') },
  run: (ctx, { query }) => paged(ctx, query, (page) => sessions.listSessions(ctx, page)),
  present: presentSessions,
})

export const endSession = operation({
  access: 'sessions.write',
  on: 'DELETE /auth/session/{id}',
  summary: 'End a session',
  request: { params: pathId('ses', 'session') },
  responses: { 200: json(MessageResponse, 'The session has ended') },
  run: (ctx, { params }) => sessions.endSession(ctx, params.id),
  present: () => ({ message: 'The session has ended.' }),
})

export const logoutAll = operation({
  access: 'sessions.write',
  on: 'POST /auth/logout-all',
  summary: 'End all own sessions',
  request: { query: LogoutAllQuery },
  responses: { 200: json(SignedOutResponse, 'Signed out everywhere') },
  run: (ctx, { query }) => sessions.logoutAll(ctx, query),
  present: presentSignedOut,
})
