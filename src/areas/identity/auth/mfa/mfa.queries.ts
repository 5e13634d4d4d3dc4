import { and, eq, isNull, lt, lte, sql } from 'drizzle-orm'
import { mfaChallenges, mfaFactors, mfaRecoveryCodes } from '../../../../../drizzle/schema/auth.ts'
import { users } from '../../../../../drizzle/schema/system.ts'
import type { Context } from '../../../../platform/context.ts'
import { requireChangedOne, refuseIf } from '../../../../platform/database/premises.ts'
import type { Refusal } from '../../../../platform/database/refusals.ts'
import { PROFILE_COLUMNS } from '../../../../platform/database/session.ts'
import { db, type Statement } from '../../../../platform/database/statements.ts'
import { authErrors } from '../auth.errors.ts'
import type { LoginRow } from '../auth.queries.ts'

const CHALLENGE_MS = 5 * 60 * 1000
const CHALLENGE_TRIES = 5

export type NewFactor = typeof mfaFactors.$inferInsert

export const factorOf = (userId: string) =>
  db.select().from(mfaFactors).where(eq(mfaFactors.userId, userId))

export const recoveryCodesLeft = (userId: string) =>
  db
    .select({ count: sql<number>`count(*)`.as('count') })
    .from(mfaRecoveryCodes)
    .where(eq(mfaRecoveryCodes.userId, userId))

/** A factor that is on, with what its user may prove it by. */
export interface ActiveFactor {
  user_id: string
  factor_id: string
  /** Sealed. */
  seed: string
  last_step: number
  /** 1 when the code is an unused recovery code. */
  is_recovery: number
}

const FACTOR_COLUMNS = `f.id AS factor_id, f.seed, f.last_step`

const isRecovery = (codeHash: string) =>
  sql`EXISTS (SELECT 1 FROM mfa_recovery_codes r WHERE r.user_id = f.user_id AND r.code_hash = ${codeHash}) AS is_recovery`

export const activeFactor = (userId: string, codeHash: string) =>
  db.all<ActiveFactor>(
    sql`SELECT f.user_id, ${sql.raw(FACTOR_COLUMNS)}, ${isRecovery(codeHash)}
      FROM mfa_factors f WHERE f.user_id = ${userId} AND f.confirmed_at IS NOT NULL`,
  )

/** Takes the place of one that was begun and never confirmed. */
export const insertFactor = (factor: NewFactor): Statement[] => [
  db
    .delete(mfaFactors)
    .where(and(eq(mfaFactors.userId, factor.userId), isNull(mfaFactors.confirmedAt))),
  db.insert(mfaFactors).values(factor),
]

/** Refuses when a factor was confirmed meanwhile, and when this one was replaced. */
export const confirmFactor = (
  ctx: Context,
  { id, userId }: { id: string; userId: string },
  step: number,
): Statement[] => [
  refuseIf(
    sql`EXISTS (SELECT 1 FROM mfa_factors WHERE user_id = ${userId} AND confirmed_at IS NOT NULL)`,
    authErrors.mfaOn,
  ),
  db.update(mfaFactors).set({ confirmedAt: ctx.now, lastStep: step }).where(eq(mfaFactors.id, id)),
  requireChangedOne(authErrors.mfaNotBegun),
  setMfaEnabled(ctx, userId, ctx.now),
]

const setMfaEnabled = (ctx: Context, userId: string, mfaEnabledAt: number | null): Statement =>
  db
    .update(users)
    .set({ mfaEnabledAt, version: sql`${users.version} + 1`, updatedAt: ctx.now })
    .where(eq(users.id, userId))

/** Refuses when the factor is off already, and when a password was chosen that needs it. */
export const removeFactor = (ctx: Context, userId: string, factorId: string): Statement[] => [
  db.delete(mfaFactors).where(eq(mfaFactors.id, factorId)),
  requireChangedOne(authErrors.mfaOff),
  refuseIf(
    sql`EXISTS (SELECT 1 FROM users u WHERE u.id = ${userId} AND u.password_needs_mfa = 1)`,
    authErrors.passwordNeedsMfa,
  ),
  db.delete(mfaRecoveryCodes).where(eq(mfaRecoveryCodes.userId, userId)),
  forgetChallengesOf(userId),
  setMfaEnabled(ctx, userId, null),
]

/** With all that goes with it; also one that was begun and never confirmed. */
export const deleteFactorsOf = (userId: string): Statement[] => [
  db.delete(mfaFactors).where(eq(mfaFactors.userId, userId)),
  db.delete(mfaRecoveryCodes).where(eq(mfaRecoveryCodes.userId, userId)),
]

/** Refuses when the factor was turned off, or replaced by another one. */
export const mustBeOn = (factorId: string): Statement =>
  refuseIf(
    sql`NOT EXISTS (SELECT 1 FROM mfa_factors WHERE id = ${factorId} AND confirmed_at IS NOT NULL)`,
    authErrors.mfaOff,
  )

/** Uses up a time step and all before it. Of parallel uses one wins, and the others are refused. */
export const takeStep = (factorId: string, step: number, usedUp: Refusal): Statement[] => [
  db
    .update(mfaFactors)
    .set({ lastStep: step })
    .where(and(eq(mfaFactors.id, factorId), lt(mfaFactors.lastStep, step))),
  requireChangedOne(usedUp),
]

/** Uses up a recovery code. If one code is used in parallel, one use wins, and the others are refused. */
export const takeRecoveryCode = (
  userId: string,
  codeHash: string,
  usedUp: Refusal,
): Statement[] => [
  db
    .delete(mfaRecoveryCodes)
    .where(and(eq(mfaRecoveryCodes.userId, userId), eq(mfaRecoveryCodes.codeHash, codeHash))),
  requireChangedOne(usedUp),
]

export const replaceRecoveryCodes = (userId: string, codeHashes: string[]): Statement[] => [
  db.delete(mfaRecoveryCodes).where(eq(mfaRecoveryCodes.userId, userId)),
  db.insert(mfaRecoveryCodes).values(codeHashes.map((codeHash) => ({ userId, codeHash }))),
]

/** Also throws away what has expired, so that the table does not grow. */
export const insertChallenge = (
  ctx: Context,
  challenge: { tokenHash: string; userId: string },
): Statement[] => [
  db.delete(mfaChallenges).where(lte(mfaChallenges.expiresAt, ctx.now)),
  db.insert(mfaChallenges).values({ ...challenge, expiresAt: ctx.now + CHALLENGE_MS }),
]

export const forgetChallengesOf = (userId: string): Statement =>
  db.delete(mfaChallenges).where(eq(mfaChallenges.userId, userId))

export interface ChallengedRow extends LoginRow, ActiveFactor {}

const isOpen = (ctx: Context, tokenHash: string) =>
  sql`token_hash = ${tokenHash} AND expires_at > ${ctx.now} AND tries < ${sql.raw(String(CHALLENGE_TRIES))}`

/** The sign-in that waits for its second factor. */
export const challengeToFinish = (ctx: Context, tokenHash: string, codeHash: string) =>
  db.all<ChallengedRow>(
    sql`SELECT ${sql.raw(PROFILE_COLUMNS)}, u.password_hash, u.password_changed_at, u.status,
        ${sql.raw(FACTOR_COLUMNS)}, ${isRecovery(codeHash)}
      FROM mfa_challenges c JOIN users u ON u.id = c.user_id
        JOIN mfa_factors f ON f.user_id = u.id AND f.confirmed_at IS NOT NULL
      WHERE c.token_hash IN (SELECT token_hash FROM mfa_challenges WHERE ${isOpen(ctx, tokenHash)})
        AND u.status = 'active'`,
  )

/** Refuses when its tries are used up. */
export const countChallengeTry = (ctx: Context, tokenHash: string): Statement[] => [
  db
    .update(mfaChallenges)
    .set({ tries: sql`${mfaChallenges.tries} + 1` })
    .where(isOpen(ctx, tokenHash)),
  requireChangedOne(authErrors.invalidMfaToken),
]

/** Refuses when it was finished, or its tries were used up, meanwhile. */
export const spendChallenge = (ctx: Context, tokenHash: string): Statement[] => [
  db.delete(mfaChallenges).where(isOpen(ctx, tokenHash)),
  requireChangedOne(authErrors.invalidMfaToken),
]
