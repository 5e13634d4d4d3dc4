import { inArray, sql } from 'drizzle-orm'
import { rateLimits } from '../../drizzle/schema/system.ts'
import { AppError } from '../domain/errors.ts'
import type { Context } from './context.ts'
import { macText } from './crypto.ts'
import { refuseWhen } from './guards.ts'
import { db, nothing, type Statement } from './statements.ts'

export const WINDOW_MS = 15 * 60 * 1000
/** Mails of one kind that an address gets in a window. */
export const MOST_MAILS = 5

/** Whose tries are counted, and how many a window allows. */
export interface Limit {
  /** Hashed, so that the table does not list who tried what. */
  key: string
  most: number
}

export async function limitOf(ctx: Context, subject: string, most: number): Promise<Limit> {
  return { key: macText(ctx.settings.appSecret, 'limit', subject), most }
}

/** Where the caller's address is not known, all such callers share one count. */
export const clientOf = (ctx: Context): string => ctx.client.ip ?? 'unknown'

type Tries = (typeof rateLimits.$inferSelect)[]

export const triesOf = (limits: Limit[]): Statement<Tries> =>
  limits.length === 0
    ? nothing()
    : db
        .select()
        .from(rateLimits)
        .where(
          inArray(
            rateLimits.key,
            limits.map(({ key }) => key),
          ),
        )

/** Refuses before any costly work when a window is used up already. */
export function requireTriesLeft(ctx: Context, limits: Limit[], tries: Tries): void {
  for (const { key, most } of limits) {
    const counted = tries.find((row) => row.key === key)
    if (counted && counted.windowEndsAt > ctx.now && counted.tries >= most) {
      throw tooManyTries(Math.ceil((counted.windowEndsAt - ctx.now) / 1000))
    }
  }
}

/**
 * Counts a try in the commit that answers it, and refuses the commit over the limit: of any number of
 * parallel tries no more are answered than the window allows.
 */
export const countTry = (ctx: Context, { key, most }: Limit): Statement[] => [
  db
    .insert(rateLimits)
    .values({ key, tries: 1, windowEndsAt: ctx.now + WINDOW_MS })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: {
        tries: sql`CASE WHEN ${rateLimits.windowEndsAt} <= ${ctx.now} THEN 1 ELSE ${rateLimits.tries} + 1 END`,
        windowEndsAt: sql`CASE WHEN ${rateLimits.windowEndsAt} <= ${ctx.now} THEN excluded.window_ends_at ELSE ${rateLimits.windowEndsAt} END`,
      },
    }),
  refuseWhen(
    'limit',
    sql`(SELECT tries FROM rate_limits WHERE key = ${key}) > CAST(${most} AS INTEGER)`,
  ),
]

export const tooManyTries = (retryAfter = WINDOW_MS / 1000) =>
  new AppError('limited', 'request.limited', 'Too many tries; wait and try again.', { retryAfter })
