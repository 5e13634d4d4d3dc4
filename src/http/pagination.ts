import { z } from '@hono/zod-openapi'
import { AppError } from '../domain/errors.ts'
import type { Context } from '../platform/context.ts'
import { fromBase64Url, macText, sameText, toBase64Url } from '../platform/crypto.ts'
import type { PageRequest, Position } from '../platform/paging.ts'

/** `limit` and `cursor` of every list. */
export const pageQuery = (maximum = 200, fallback = 50) => ({
  limit: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, `limit is a whole number from 1 to ${maximum}`)
    .transform(Number)
    .refine((limit) => limit <= maximum, `limit is a whole number from 1 to ${maximum}`)
    .optional()
    .transform((limit) => limit ?? fallback)
    .openapi({
      type: 'integer',
      minimum: 1,
      maximum,
      default: fallback,
      description: 'How many rows at most',
      example: fallback,
    }),
  cursor: z
    .string()
    .max(2000)
    .optional()
    .openapi({ description: 'nextCursor of the page before', example: 'WyIyMDI2LTEx…' }),
})

type Query = { limit: number; cursor?: string | undefined }

/**
 * Opens the cursor of a query. It is authenticated and bound to the user, the operation and the filter,
 * so it cannot be made up, borrowed, or used with another filter.
 * @throws AppError invalid `request.invalidCursor`
 */
export async function pageOf(ctx: Context, query: Query): Promise<PageRequest> {
  const { cursor, limit } = query
  if (cursor === undefined) {
    return { limit, after: undefined }
  }
  const [payload = '', signature] = cursor.split('.')
  if (!sameText(signature ?? '', await sign(ctx, query, payload))) {
    throw new AppError(
      'invalid',
      'request.invalidCursor',
      'This cursor does not belong to this list.',
      {
        field: 'cursor',
      },
    )
  }
  return { limit, after: JSON.parse(new TextDecoder().decode(fromBase64Url(payload))) as Position }
}

/** The cursor for what follows `position`; null at the end of the list. */
export async function cursorAt(
  ctx: Context,
  query: Query,
  position: Position | null,
): Promise<string | null> {
  if (!position) {
    return null
  }
  const payload = toBase64Url(new TextEncoder().encode(JSON.stringify(position)))
  return `${payload}.${await sign(ctx, query, payload)}`
}

function sign(ctx: Context, query: Query, payload: string): Promise<string> {
  const { cursor: _cursor, limit: _limit, ...filter } = query as Query & Record<string, unknown>
  const bound = JSON.stringify([ctx.caller?.userId, ctx.operation, filter, payload])
  return macText(ctx.settings.appSecret, 'cursor', bound)
}
