import { z } from '@hono/zod-openapi'
import { proof } from '../own-user.contract.ts'

export const DeleteOwnUserRequest = z.strictObject({ ...proof }).openapi('DeleteOwnUserRequest')
