import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { Context } from '../context.ts'
import { clientOf } from '../limits.ts'
import { turnsOf } from '../work/turns.ts'
import { serviceErrors } from '../platform.errors.ts'

// scrypt with N=2^14, r=8, p=5 as OWASP's password storage cheat sheet lists it. PBKDF2 is no choice:
// Workers cap its iterations in production, but not on a developer's machine.
const BLOCK_SIZE = 8
const PARALLELISM = 5
const HASH_BYTES = 32

const derive = promisify<string, Uint8Array, number, object, Uint8Array>(scrypt)

/**
 * A hash takes 16 MiB and a tenth of a second or more: what comes beyond the queue is refused at once. Clients share the queue,
 * so that whoever sends many passwords keeps nobody else out.
 */
const inTurn = turnsOf({
  ...{ atOnce: 2, waiting: 20, waitMs: 5000 },
  busy: () => serviceErrors.busy({ retryAfter: 2 }),
})

const hash = (ctx: Context, password: string, salt: Uint8Array, cost: number) =>
  inTurn(async () => {
    // Other requests get on between two hashes, each of which may hold the thread.
    await new Promise((resolve) => setTimeout(resolve, 0))
    return derive(password.normalize('NFKC'), salt, HASH_BYTES, {
      N: 2 ** cost,
      r: BLOCK_SIZE,
      p: PARALLELISM,
      maxmem: 64 * 1024 * 1024,
    })
  }, clientOf(ctx))

/** A PHC string: `$scrypt$ln=14,r=8,p=5$salt$hash`. `ln` is log2 of N, the cost. */
export async function hashPassword(ctx: Context, password: string): Promise<string> {
  const cost = ctx.settings.passwordCost
  const salt = randomBytes(16)
  const derived = await hash(ctx, password, salt, cost)
  return `$scrypt$ln=${cost},r=${BLOCK_SIZE},p=${PARALLELISM}$${base64(salt)}$${base64(derived)}`
}

/**
 * True if the password is the one of the PHC string. Without one (no such user, or no password) the same work is
 * done, so that the time reveals nothing.
 */
export async function verifyPassword(
  ctx: Context,
  password: string,
  phc: string | null,
): Promise<boolean> {
  const [, storedCost, salt, expected] = PHC.exec(phc ?? '') ?? []
  if (storedCost === undefined || salt === undefined || expected === undefined) {
    await hash(ctx, password, new Uint8Array(16), ctx.settings.passwordCost)
    return false
  }
  const derived = await hash(ctx, password, Buffer.from(salt, 'base64'), Number(storedCost))
  return timingSafeEqual(derived, Buffer.from(expected, 'base64'))
}

/** True if the hash was made with another cost than new ones are. */
export const needsRehash = (phc: string, cost: number): boolean =>
  Number(PHC.exec(phc)?.[1]) !== cost

const PHC = /^\$scrypt\$ln=(\d{1,2}),r=8,p=5\$([\w+/]+)\$([\w+/]+)$/

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replaceAll('=', '')
