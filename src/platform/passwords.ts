import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { turnsOf } from './turns.ts'
import { serviceErrors } from './platform.errors.ts'

// scrypt with N=2^14, r=8, p=5 as OWASP's password storage cheat sheet lists it. PBKDF2 is no choice:
// Workers cap its iterations in production, but not on a developer's machine.
const BLOCK_SIZE = 8
const PARALLELISM = 5
const HASH_BYTES = 32

const derive = promisify<string, Uint8Array, number, object, Uint8Array>(scrypt)

/** A hash takes 16 MiB and a tenth of a second or more: what comes beyond the queue is refused at once. */
const inTurn = turnsOf({
  ...{ atOnce: 2, waiting: 20, waitMs: 5000 },
  busy: () => serviceErrors.busy({ retryAfter: 2 }),
})

const hash = (password: string, salt: Uint8Array, cost: number) =>
  inTurn(async () => {
    // Other requests get on between two hashes, each of which may hold the thread.
    await new Promise((resolve) => setTimeout(resolve, 0))
    return derive(password.normalize('NFKC'), salt, HASH_BYTES, {
      N: 2 ** cost,
      r: BLOCK_SIZE,
      p: PARALLELISM,
      maxmem: 64 * 1024 * 1024,
    })
  })

/** A PHC string: `$scrypt$ln=14,r=8,p=5$salt$hash`. `cost` is log2 of N. */
export async function hashPassword(password: string, cost: number): Promise<string> {
  const salt = randomBytes(16)
  const derived = await hash(password, salt, cost)
  return `$scrypt$ln=${cost},r=${BLOCK_SIZE},p=${PARALLELISM}$${base64(salt)}$${base64(derived)}`
}

/**
 * Whether the password is the one of the PHC string. Without one (no such user, or no password) the same
 * work is done, so that the time does not tell.
 */
export async function verifyPassword(
  password: string,
  phc: string | null,
  cost: number,
): Promise<boolean> {
  const [, storedCost, salt, expected] = PHC.exec(phc ?? '') ?? []
  if (storedCost === undefined || salt === undefined || expected === undefined) {
    await hash(password, new Uint8Array(16), cost)
    return false
  }
  const derived = await hash(password, Buffer.from(salt, 'base64'), Number(storedCost))
  return timingSafeEqual(derived, Buffer.from(expected, 'base64'))
}

/** Whether the hash was made with another cost than new ones are. */
export const needsRehash = (phc: string, cost: number): boolean =>
  Number(PHC.exec(phc)?.[1]) !== cost

const PHC = /^\$scrypt\$ln=(\d{1,2}),r=8,p=5\$([\w+/]+)\$([\w+/]+)$/

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replaceAll('=', '')
