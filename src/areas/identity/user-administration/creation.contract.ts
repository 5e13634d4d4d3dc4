import { z } from '@hono/zod-openapi'
import { RegisterRequest } from '../auth/auth.public.ts'
import { roleIds } from './user-administration.contract.ts'

const { email, password, name, baseCurrency, locale, timeZone } = RegisterRequest.shape

export const CreateUserRequest = z
  .strictObject({
    email,
    password: password.optional().openapi({
      description: 'The password. If it is left out, the user is mailed a code for choosing one.',
    }),
    name,
    baseCurrency,
    locale,
    timeZone,
    roleIds: roleIds.optional().openapi({
      description: 'Roles of the user; by default the system role `user`.',
    }),
  })
  .openapi('CreateUserRequest')
