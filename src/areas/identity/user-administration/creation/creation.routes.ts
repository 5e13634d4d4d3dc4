import { answer } from '../../../../http/answer.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { AdminUserResponse, presentAdminUser } from '../user-administration.contract.ts'
import { CreateUserRequest } from './creation.contract.ts'
import * as creation from './creation.usecases.ts'

export const createUser = operation(
  'users.write',
  {
    method: 'post',
    path: '/admin/users',
    operationId: 'createUser',
    summary: 'Create a user',
    tags: ['Users'],
    request: jsonRequest(CreateUserRequest),
    responses: { 201: json(AdminUserResponse, 'The new user') },
  },
  (c) => answer(c, 201, presentAdminUser, (ctx) => creation.createUser(ctx, c.req.valid('json'))),
)
