import { inArray, type SQL, sql } from 'drizzle-orm'
import { rateLimits } from '../../drizzle/schema/system.ts'
import { networkOf } from '../domain/addresses.ts'
import type { Context } from './context.ts'
import { macText } from './secrets/crypto.ts'
import { refuseIf } from './database/premises.ts'
import { db, nothing, type Statement } from './database/statements.ts'
import { limitErrors } from './platform.errors.ts'

export const WINDOW_MS = 15 * 60 * 1000
/** Mails of one kind that an address gets in a window. */
export const MOST_MAILS = 5

/** The key that tries are counted under, and the number that a window allows. */
export interface Limit {
  /** Hashed, so that the table does not list who tried what. */
  key: string
  most: number
  windowMs: number
}

export async function limitOf(
  ctx: Context,
  subject: string,
  most: number,
  windowMs = WINDOW_MS,
): Promise<Limit> {
  return { key: macText(ctx.settings.appSecret, 'limit', subject), most, windowMs }
}

/** Returns the key of the caller's address. All callers without a known address share one count. */
export const clientOf = ({ client }: Context): string =>
  client.ip === null ? 'unknown' : networkOf(client.ip)

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
  for (const limit of limits) {
    const endsAt = usedUpUntil(ctx, limit, tries)
    if (endsAt !== undefined) {
      throw tooManyTries(Math.ceil((endsAt - ctx.now) / 1000))
    }
  }
}

/** When the window ends, if it is used up. */
export function usedUpUntil(ctx: Context, { key, most }: Limit, tries: Tries): number | undefined {
  const counted = tries.find((row) => row.key === key)
  return counted && counted.windowEndsAt > ctx.now && counted.tries >= most
    ? counted.windowEndsAt
    : undefined
}

/** Returns the number of tries that the current window still allows. */
export function triesLeft(ctx: Context, { key, most }: Limit, tries: Tries): number {
  const counted = tries.find((row) => row.key === key)
  return counted && counted.windowEndsAt > ctx.now ? Math.max(most - counted.tries, 0) : most
}

/**
 * Counts a try in the commit that answers it, and refuses the commit over the limit: of any number of
 * parallel tries no more are answered than the window allows.
 */
export const countTry = (ctx: Context, limit: Limit): Statement[] => [
  noteTry(ctx, limit),
  refuseIf(
    sql`(SELECT tries FROM rate_limits WHERE key = ${limit.key}) > CAST(${limit.most} AS INTEGER)`,
    tooManyTries,
  ),
]

/** Counts a try, and lets it pass even so. */
export const noteTry = (ctx: Context, { key, windowMs }: Limit): Statement =>
  db
    .insert(rateLimits)
    .values({ key, tries: 1, windowEndsAt: ctx.now + windowMs })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: {
        tries: sql`CASE WHEN ${rateLimits.windowEndsAt} <= ${ctx.now} THEN 1 ELSE ${rateLimits.tries} + 1 END`,
        windowEndsAt: sql`CASE WHEN ${rateLimits.windowEndsAt} <= ${ctx.now} THEN excluded.window_ends_at ELSE ${rateLimits.windowEndsAt} END`,
      },
    })

/** Refuses the commit when a window is used up, and counts nothing: for a try that was right. */
export const mustHaveTriesLeft = (ctx: Context, { key, most }: Limit): Statement =>
  refuseIf(
    sql`EXISTS (SELECT 1 FROM rate_limits WHERE key = ${key} AND window_ends_at > ${ctx.now}
      AND tries >= CAST(${most} AS INTEGER))`,
    tooManyTries,
  )

/** A window in which a try was counted. */
export interface CountedTry {
  key: string
  window_ends_at: number
}

/**
 * Counts a try in all the windows, before what it costs is done, unless one of them is used up: then it counts in none,
 * so that whoever has used up their own window does not use up those of others. The one write that a `read` may carry.
 * @param premise what must hold for a try to be counted: that it is no repetition, see `isNotAnswered`
 */
export function countFirst(ctx: Context, limits: Limit[], premise: SQL): Statement<CountedTry[]> {
  const wanted = JSON.stringify(limits)
  return db.all<CountedTry>(sql`INSERT INTO rate_limits (key, tries, window_ends_at)
    SELECT l.value ->> 'key', 1, ${ctx.now} + (l.value ->> 'windowMs') FROM json_each(${wanted}) l
    WHERE NOT EXISTS (SELECT 1 FROM json_each(${wanted}) m JOIN rate_limits r ON r.key = m.value ->> 'key'
      WHERE r.window_ends_at > ${ctx.now} AND r.tries >= m.value ->> 'most')
      AND ${premise}
    ON CONFLICT (key) DO UPDATE SET
      tries = CASE WHEN window_ends_at <= ${ctx.now} THEN 1 ELSE tries + 1 END,
      window_ends_at = CASE WHEN window_ends_at <= ${ctx.now} THEN excluded.window_ends_at ELSE window_ends_at END
    RETURNING key, window_ends_at`)
}

/** Refuses unless the try was counted. `tries` are those of the limits from right before it. */
export function requireCounted(
  ctx: Context,
  { limits, tries, counted }: { limits: Limit[]; tries: Tries; counted: CountedTry[] },
): void {
  requireTriesLeft(ctx, limits, tries)
  if (counted.length < limits.length) {
    throw tooManyTries()
  }
}

/** Takes a try back that was right, or that nobody has looked at. */
export const takeBackTry = (counted: CountedTry[]): Statement =>
  db.run(sql`UPDATE rate_limits SET tries = tries - 1 WHERE tries > 0 AND (key, window_ends_at) IN
    (SELECT value ->> 'key', value ->> 'window_ends_at' FROM json_each(${JSON.stringify(counted)}))`)

export const tooManyTries = (retryAfter = WINDOW_MS / 1000) => limitErrors.limited({ retryAfter })
