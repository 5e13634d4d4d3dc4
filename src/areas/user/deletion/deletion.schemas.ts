import { z } from '@hono/zod-openapi'
import { proof } from '../user.schemas.ts'

export const DeleteOwnUserRequest = z.strictObject({ ...proof }).openapi('DeleteOwnUserRequest')
