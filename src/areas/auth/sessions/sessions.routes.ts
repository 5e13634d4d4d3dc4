import { answer } from '../../../http/answer.ts'
import { MessageResponse, pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { defineRoute, json, newArea } from '../../../http/route.ts'
import { presentSessions, presentSignedOut } from './sessions.presenters.ts'
import {
  ListSessionsQuery,
  ListSessionsResponse,
  LogoutAllQuery,
  SignedOutResponse,
} from './sessions.schemas.ts'
import { endAllSessions, endSession, listSessions } from './sessions.usecases.ts'

export const sessionRoutes = newArea()

export const getSessions = defineRoute('sessions.read', {
  method: 'get',
  path: '/auth/session',
  operationId: 'listSessions',
  summary: 'Where the caller is signed in: live sessions, last used first',
  tags: ['Authentication'],
  request: { query: ListSessionsQuery },
  responses: { 200: json(ListSessionsResponse, 'One page of them') },
})
sessionRoutes.openapi(getSessions, (c) =>
  answer(c, 200, presentSessions, (ctx) =>
    paged(ctx, c.req.valid('query'), (page) => listSessions(ctx, page)),
  ),
)

export const deleteSession = defineRoute('sessions.write', {
  method: 'delete',
  path: '/auth/session/{id}',
  operationId: 'endSession',
  summary: 'End one own session; its tokens stop working at once',
  tags: ['Authentication'],
  request: { params: pathId('ses', 'session') },
  responses: { 200: json(MessageResponse, 'The session has ended') },
  errors: [404],
})
sessionRoutes.openapi(deleteSession, (c) =>
  answer(
    c,
    200,
    () => ({ message: 'The session has ended.' }),
    (ctx) => endSession(ctx, c.req.valid('param').id),
  ),
)

export const logoutEverywhere = defineRoute('sessions.write', {
  method: 'post',
  path: '/auth/logout-all',
  operationId: 'logoutAll',
  summary: 'End every session and personal access token of the caller',
  description:
    'This session is included. With `keepTokens=true` personal access tokens stay. A sign-in that waits for its second factor ends as well, and so does a change of the address that waits to be confirmed.',
  tags: ['Authentication'],
  request: { query: LogoutAllQuery },
  responses: { 200: json(SignedOutResponse, 'Signed out everywhere') },
})
sessionRoutes.openapi(logoutEverywhere, (c) =>
  answer(c, 200, presentSignedOut, (ctx) => endAllSessions(ctx, c.req.valid('query'))),
)
