import type { AppError } from '../../../../domain/errors.ts'
import type { Context, SignedIn } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import type { DomainEvent, Thing } from '../../../../platform/log/events.ts'
import { isNotAnswered } from '../../../../platform/database/idempotency.ts'
import {
  clientOf,
  type CountedTry,
  countFirst,
  countTry,
  type Limit,
  limitOf,
  requireCounted,
  takeBackTry,
  triesOf,
} from '../../../../platform/limits.ts'
import { verifyPassword } from '../../../../platform/secrets/passwords.ts'
import type { Refusal } from '../../../../platform/database/refusals.ts'
import { nothing, type Statement } from '../../../../platform/database/statements.ts'
import { sameText, sha256Text } from '../../../../platform/secrets/crypto.ts'
import { openSecret } from '../../../../platform/secrets/key-ring.ts'
import { placeIn, TOTP_SEEDS } from '../../../../platform/secrets/sealed-columns.ts'
import { authErrors } from '../auth.errors.ts'
import { ofUser } from '../auth.events.ts'
import { type ActiveFactor, activeFactor, takeRecoveryCode, takeStep } from '../mfa/mfa.queries.ts'
import {
  passwordMustStillBe,
  isTry,
  type OwnCredentials,
  ownCredentials,
} from './credentials.queries.ts'
import { codesAround, isTotp, plainRecoveryCode } from '../auth.rules.ts'

// Asks signed-in users to prove their identity before something is done that outlives the session.

/** The proof of a user: one of the two, or neither where the operation accepts something else. */
export interface Proof {
  password?: string | undefined
  code?: string | undefined
}

/** The time after a sign-in for which its session is proof enough, where an operation accepts that. */
const FRESH_MS = 10 * 60 * 1000

/** The alternative that an operation accepts when neither password nor code is sent. */
type Otherwise =
  /** Nothing: one of the two has to be sent. */
  | 'nothing'
  /** The user has no password, and the session was signed in just now. */
  | 'noPassword'
  /** The session was signed in just now. */
  | 'freshSession'

interface Demand<Row> {
  otherwise: Otherwise
  /** Tells of a wrong proof. */
  refused: (user: Thing) => DomainEvent
  /** The request field of the password. */
  field?: string
  /** Runs before the proof is looked at. What it throws is the answer, and the try is taken back. */
  check?: (found: ProofFacts & { also: Row[] }) => void
  /** A further finder of the operation for the same trip. */
  also?: Statement<Row[]>
}

interface ProofFacts {
  own: OwnCredentials
  factor: ActiveFactor | undefined
}

export interface Proven<Row = never> extends ProofFacts {
  also: Row[]
  /** Belong to the commit that needs the proof: take the try back, use a code up, refuse when it holds no more. */
  writes: Statement[]
  /** Runs what the proof was for. When that fails for another reason, the try is taken back. */
  orTakeBack: <Result>(work: () => Promise<Result>) => Promise<Result>
}

/** Tries at proving who one is while signed in: passwords and codes share them. */
export async function limitsOfProof(ctx: SignedIn): Promise<Limit[]> {
  const { loginLimitAccount, loginLimitClient } = ctx.settings
  return [
    await limitOf(ctx, `proof of ${ctx.caller.userId}`, loginLimitAccount),
    await limitOf(ctx, `login client ${clientOf(ctx)}`, loginLimitClient),
  ]
}

/**
 * Asks for a proof of who calls.
 * @throws AppError `auth.wrongPassword`, `auth.wrongCode`, `auth.proofNeeded`, `request.limited`
 */
export async function prove<Row = never>(
  ctx: SignedIn,
  given: Proof,
  demand: Demand<Row>,
): Promise<Proven<Row>> {
  const { userId } = ctx.caller
  const limits = await limitsOfProof(ctx)
  const premise = isTry(ctx, isNotAnswered(ctx))
  const isGiven = given.password !== undefined || given.code !== undefined
  const [tries, counted, [own], [factor], also] = await read(
    ctx,
    triesOf(limits),
    countFirst(ctx, isGiven ? limits : [], premise),
    ownCredentials(ctx),
    activeFactor(userId, hashOfCode(given.code ?? '')),
    demand.also ?? nothing<Row>(),
  )
  if (!own) {
    throw new Error('the session check let somebody pass who is not there')
  }
  const found = { own, factor, also }
  const wrongProof = () => wrong(given, demand)
  if (!isGiven) {
    demand.check?.(found)
    requireOtherwise(ctx, own, demand)
    const writes = [passwordMustStillBe(userId, own.passwordHash, wrongProof)]
    return { ...found, writes, orTakeBack: (work) => work() }
  }
  requireCounted(ctx, { limits, tries, counted })
  await unlessItThrows(ctx, counted, async () => demand.check?.(found))
  const writes = await proofWrites(ctx, { given, found, counted, wrongProof })
  if (!writes) {
    await tellFailure(ctx, demand.refused(ofUser(userId)))
    throw wrongProof()
  }
  return {
    ...found,
    writes: [takeBackTry(counted), ...writes],
    orTakeBack: (work) => unlessItThrows(ctx, counted, work),
  }
}

/** For a proof that was right, and what fails all the same: without it, the try would stay counted. */
export async function unlessItThrows<Result>(
  ctx: Context,
  counted: CountedTry[],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    await read(ctx, takeBackTry(counted))
    throw error
  }
}

/** Compares a password whose try was counted. Where there is no time to look at it, it was no try. */
export const verifyCounted = (
  ctx: Context,
  counted: CountedTry[],
  password: string,
  hash: string | null,
): Promise<boolean> => unlessItThrows(ctx, counted, () => verifyPassword(ctx, password, hash))

async function proofWrites(
  ctx: SignedIn,
  {
    given,
    found,
    counted,
    wrongProof,
  }: { given: Proof; found: ProofFacts; counted: CountedTry[]; wrongProof: Refusal },
): Promise<Statement[] | undefined> {
  const { own, factor } = found
  if (given.code !== undefined) {
    return factor && proofByCode(ctx, factor, given.code, wrongProof)
  }
  const isRight = await verifyCounted(ctx, counted, given.password ?? '', own.passwordHash)
  // Compared with nothing it is wrong, so there is one.
  return isRight
    ? [passwordMustStillBe(ctx.caller.userId, own.passwordHash, wrongProof)]
    : undefined
}

function requireOtherwise(
  ctx: SignedIn,
  { passwordHash, signedInAt }: OwnCredentials,
  demand: Pick<Demand<never>, 'otherwise' | 'field'>,
): void {
  const { otherwise } = demand
  if (otherwise === 'nothing' || (otherwise === 'noPassword' && passwordHash !== null)) {
    throw wrong({}, demand)
  }
  if (signedInAt <= ctx.now - FRESH_MS) {
    throw authErrors.proofNeeded()
  }
}

const wrong = ({ code }: Proof, { field = 'password' }: { field?: string }): AppError =>
  code === undefined ? authErrors.wrongPassword({ field }) : authErrors.wrongCode({ field: 'code' })

/** Stores a try that failed where nothing costly was done to find that out. */
export const countFailure = (ctx: Context, limits: Limit[], failure: DomainEvent): Promise<void> =>
  tellFailure(
    ctx,
    failure,
    limits.flatMap((limit) => countTry(ctx, limit)),
  )

/** Has a failure in the log. Its answer is not kept, as a repeated failure is a try of its own. */
export async function tellFailure(
  ctx: Context,
  failure: DomainEvent,
  statements: Statement[] = [],
): Promise<void> {
  delete ctx.repeatable
  await commit(ctx, { changes: [{ statements, events: [failure] }], result: undefined })
}

/** The writes that use the code up, when it is one that works now. They refuse when another use was first. */
export async function proofByCode(
  ctx: Context,
  factor: ActiveFactor,
  code: string,
  usedUp: Refusal,
): Promise<Statement[] | undefined> {
  if (!isTotp(code)) {
    return factor.is_recovery === 1
      ? takeRecoveryCode(factor.user_id, hashOfCode(code), usedUp)
      : undefined
  }
  const { factor_id: factorId, seed, last_step: after } = factor
  const step = await stepOfCode(ctx, { factorId, seed, after }, code)
  return step === undefined ? undefined : takeStep(factorId, step, usedUp)
}

/** The time step that the code belongs to, if it is near now and later than the last one used. */
export async function stepOfCode(
  ctx: Context,
  factor: { factorId: string; seed: string; after: number },
  code: string,
): Promise<number | undefined> {
  const seed = await openSecret(ctx, placeIn(TOTP_SEEDS, factor.factorId), factor.seed)
  const codes = await codesAround(seed, ctx.now)
  return codes.find((one) => sameText(one.code, code) && one.step > factor.after)?.step
}

export const hashOfCode = (code: string): string => sha256Text(plainRecoveryCode(code))
