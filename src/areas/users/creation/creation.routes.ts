import { answer } from '../../../http/answer.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../../http/route.ts'
import { presentAdminUser } from '../users.presenters.ts'
import { AdminUserResponse } from '../users.schemas.ts'
import { CreateUserRequest } from './creation.schemas.ts'
import { addUser } from './creation.usecases.ts'

export const userCreationRoutes = newArea()

export const createUser = defineRoute('users.write', {
  method: 'post',
  path: '/admin/users',
  operationId: 'createUser',
  summary: 'Create a user, with a password or with a mail that lets it choose one',
  description:
    'Without a password a code goes to the address, good for seven days, for POST /auth/password/reset. Only roles can be given that permit nothing that the caller may not do.',
  tags: ['Users'],
  request: jsonRequest(CreateUserRequest),
  responses: { 201: json(AdminUserResponse, 'The new user') },
})
userCreationRoutes.openapi(createUser, (c) =>
  answer(c, 201, presentAdminUser, (ctx) => addUser(ctx, c.req.valid('json'))),
)
