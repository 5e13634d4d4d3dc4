import { z } from '@hono/zod-openapi'
import { RegisterRequest } from '../../auth/auth.public.ts'
import { roleIds } from '../grants/grants.contract.ts'

const { email, password, name, baseCurrency, locale, timeZone } = RegisterRequest.shape

export const CreateUserRequest = z
  .strictObject({
    email,
    password: password.optional().openapi({
      description: 'The password; left out, a mail brings a code to choose one with.',
    }),
    name,
    baseCurrency,
    locale,
    timeZone,
    roleIds: roleIds.optional().openapi({
      description: 'The roles; left out, the system role `user`.',
    }),
  })
  .openapi('CreateUserRequest')
