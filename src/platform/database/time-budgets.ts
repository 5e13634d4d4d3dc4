import type { Context } from '../context.ts'
import { isTrusted } from './session.ts'
import { type Turns, turnsOf } from '../work/turns.ts'
import { limitErrors } from '../platform.errors.ts'

// All requests share one thread of the database, and one of the process. So no user gets more of them than a budget, and who asks
// for much at once waits, in place of everybody else. ADR 0039 says why this is kept in memory.

const MINUTE_MS = 60_000

/** From this many users on, those who are idle are forgotten. */
const MANY = 1000

interface User {
  /** Milliseconds of the database and of work that count against the budget, as of `at`. */
  used: number
  at: number
  inTurn: Turns
}

/** The moment, and the milliseconds that a minute allows. */
interface Rate {
  now: number
  perMinute: number
}

/** The use of the database by each user. Use decays all the time, in a minute as much as a minute allows. */
export class Budgets {
  readonly #users = new Map<string, User>()
  #roomFor = MANY

  /** The number of remembered users. */
  get size(): number {
    return this.#users.size
  }

  /** Returns the time until the budget of a user has something left; undefined if it has. */
  exhaustedMs(userId: string, { now, perMinute }: Rate): number | undefined {
    const user = this.#users.get(userId)
    const over = user ? leftOf(user, { now, perMinute }) - perMinute : -1
    return over < 0 ? undefined : (over / perMinute) * MINUTE_MS
  }

  /** Counts what a user has taken. */
  charge(userId: string, ms: number, rate: Rate): void {
    const user = this.#userOf(userId, rate)
    user.used += ms
  }

  /** Returns the queue that runs a user's trips in turn. */
  turnsOf(userId: string, rate: Rate): Turns {
    return this.#userOf(userId, rate).inTurn
  }

  #userOf(userId: string, rate: Rate): User {
    const user = this.#users.get(userId) ?? this.#add(userId, rate)
    user.used = leftOf(user, rate)
    user.at = rate.now
    return user
  }

  #add(userId: string, rate: Rate): User {
    if (this.#users.size >= this.#roomFor) {
      this.#forgetIdle(rate)
    }
    const user = { used: 0, at: rate.now, inTurn: turnsOf(BOUNDS) }
    this.#users.set(userId, user)
    return user
  }

  #forgetIdle(rate: Rate): void {
    for (const [id, user] of this.#users) {
      if (rate.now - user.at >= MINUTE_MS && leftOf(user, rate) === 0) {
        this.#users.delete(id)
      }
    }
    // So that it looks at each user once in a while only, however many are at work.
    this.#roomFor = Math.max(MANY, 2 * this.#users.size)
  }
}

/** Returns the use that still counts. A clock that went back does not reduce it. */
const leftOf = ({ used, at }: User, { now, perMinute }: Rate) =>
  Math.max(0, used - (Math.max(0, now - at) / MINUTE_MS) * perMinute)

/** A page may ask for many things at once, while others wait for a few statements at most. */
const BOUNDS = {
  atOnce: 4,
  waiting: 100,
  waitMs: 10_000,
  busy: () => limitErrors.tooManyAtOnce({ retryAfter: 2 }),
}

const exhausted = (ms: number) =>
  limitErrors.budgetExhausted({ retryAfter: Math.max(1, Math.ceil(ms / 1000)) })

const budgets = new Budgets()

const rateOf = ({ ports, settings }: Context): Rate => ({
  now: ports.now(),
  perMinute: settings.userLimitDatabaseMs,
})

/**
 * Makes a trip to the database when it is its caller's turn. What a credential claims that is not trusted yet takes nobody's
 * turn, or somebody else could take all turns of a user.
 * @throws AppError `limited` when the user's budget is used up before the first trip, or too much waits
 */
export async function inTurnOfCaller<Result>(
  ctx: Context,
  trip: () => Promise<Result>,
): Promise<Result> {
  const { caller } = ctx
  if (!caller) {
    return trip()
  }
  const start = async () => {
    const ms = ctx.cost.trips === 0 ? budgets.exhaustedMs(caller.userId, rateOf(ctx)) : undefined
    if (ms !== undefined) {
      throw exhausted(ms)
    }
    return trip()
  }
  return isTrusted(ctx, caller) ? budgets.turnsOf(caller.userId, rateOf(ctx))(start) : start()
}

/** So many rows or lines are worked on in a millisecond. */
const WORK_PER_MS = 250

/**
 * Counts what the process itself has to work out: rows that statements give, lines of periods. The count stands for time, which
 * no request can measure: a clock of Workers stands still while something is calculated, and one of Node also runs for others.
 */
export function chargeWork(ctx: Context, work: number): void {
  ctx.cost.workMs += Math.round((work / WORK_PER_MS) * 1000) / 1000
  chargeCaller(ctx, work / WORK_PER_MS)
}

/** Counts what a trip has taken, once it is known that the caller is who the credential claims. */
export function chargeCaller(ctx: Context, ms: number): void {
  if (ctx.caller) {
    budgets.charge(ctx.caller.userId, ms, rateOf(ctx))
  }
}
