import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { AdminUserResponse, presentAdminUser } from '../user-administration.contract.ts'
import { CreateUserRequest } from './creation.contract.ts'
import * as creation from './creation.usecases.ts'

export const createUser = operation({
  access: 'users.write',
  on: 'POST /admin/users',
  summary: 'Create a user',
  request: jsonRequest(CreateUserRequest),
  responses: { 201: json(AdminUserResponse, 'The new user') },
  run: (ctx, { body }) => creation.createUser(ctx, body),
  present: presentAdminUser,
})
