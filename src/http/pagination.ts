import { z } from '@hono/zod-openapi'
import type { Context as HonoContext } from 'hono'
import type { Context } from '../platform/context.ts'
import { fromBase64Url, macText, sameText, toBase64Url } from '../platform/secrets/crypto.ts'
import type { AppEnv } from './env.ts'
import { count, nextCursor, once } from './fields.ts'
import { isWithin, must } from './issues.ts'
import { requestErrors } from './request.errors.ts'
import type { PageRequest, Position } from '../platform/database/paging.ts'

/** Rows of a page: at most, and where nobody says how many. */
export const PAGE = { maximum: 200, default: 50 }

const queryOf = once((maximum: number, fallback: number) => ({
  limit: z
    .string()
    .refine(isWithin(1, maximum), must(`must be between 1 and ${maximum}`, 'range'))
    .transform(Number)
    .optional()
    .transform((limit) => limit ?? fallback)
    .openapi({
      type: 'integer',
      minimum: 1,
      maximum,
      default: fallback,
      description: 'Maximum number of rows. A page ends early once it exceeds one mebibyte.',
      example: fallback,
    }),
  cursor: z
    .string()
    .max(2000)
    .optional()
    .openapi({ description: '`nextCursor` of the previous page.', example: 'WyIyMDI2LTEx…' }),
}))

/** `limit` and `cursor` of every list. */
export const pageQuery = (maximum = PAGE.maximum, fallback = PAGE.default) =>
  queryOf(maximum, fallback)

/** A validated query: what is not paging is the filter. */
type Query = { limit: number; cursor?: string | undefined } & Record<string, unknown>

/**
 * Runs a paged use case: opens the cursor of the query before it and makes the next one after it. A
 * cursor is authenticated and bound to the user, the operation and the filter, so it cannot be made up,
 * borrowed, or used with another filter.
 * @throws AppError invalid `request.invalidCursor`
 */
export async function paged<Found extends { next: Position | null }>(
  ctx: Context,
  query: Query,
  run: (page: PageRequest) => Promise<Found>,
): Promise<Found & { nextCursor: string | null }> {
  const { cursor, limit } = query
  const after = cursor === undefined ? undefined : openCursor(ctx, query, cursor)
  const found = await run({ limit, after })
  return { ...found, nextCursor: found.next && cursorAfter(ctx, query, found.next) }
}

export function openCursor(ctx: Context, query: Query, cursor: string): Position {
  const [payload = '', signature = ''] = cursor.split('.')
  if (!sameText(signature, sign(ctx, query, payload))) {
    throw requestErrors.invalidCursor({ field: 'cursor' })
  }
  return JSON.parse(new TextDecoder().decode(fromBase64Url(payload))) as Position
}

export function cursorAfter(ctx: Context, query: Query, position: Position): string {
  const payload = toBase64Url(new TextEncoder().encode(JSON.stringify(position)))
  return `${payload}.${sign(ctx, query, payload)}`
}

/** The result of a paged use case, for its presenter. */
export interface Listed<Row> {
  rows: Row[]
  /** The count of the whole list, not of this page. */
  count: number
  nextCursor: string | null
}

/** The schema of an answer with one page of a list. */
export const pageResponse = <Name extends string, Item extends z.ZodType>(
  name: Name,
  item: Item,
  description: string,
) =>
  z.object({ [name]: z.array(item).openapi({ description }), count, nextCursor } as {
    [Field in Name]: z.ZodArray<Item>
  } & { count: typeof count; nextCursor: typeof nextCursor })

/** The presenter of such an answer. */
export const presentPage =
  <Name extends string, Row, Item>(name: Name, present: (row: Row) => Item) =>
  ({ rows, count, nextCursor }: Listed<Row>) =>
    ({ [name]: rows.map((row) => present(row)), count, nextCursor }) as {
      [Field in Name]: Item[]
    } & { count: number; nextCursor: string | null }

/** For the lists that are bare arrays: announces the next page in a Link header. */
export function announceNext(c: HonoContext<AppEnv>, nextCursor: string | null): void {
  if (nextCursor !== null) {
    const next = new URL(c.req.url)
    next.searchParams.set('cursor', nextCursor)
    c.header('Link', `<${next.pathname}${next.search}>; rel="next"`)
  }
}

function sign(ctx: Context, query: Query, payload: string): string {
  const { cursor: _cursor, limit: _limit, ...filter } = query
  const bound = JSON.stringify([ctx.caller?.userId, ctx.operation, filter, payload])
  return macText(ctx.settings.appSecret, 'cursor', bound)
}
