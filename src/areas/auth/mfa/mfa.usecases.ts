import { type Context, freshId, profileOf, type SignedIn } from '../../../platform/context.ts'
import { sameText, sha256Text } from '../../../platform/crypto.ts'
import { commit, read } from '../../../platform/database.ts'
import { openSecret, sealSecret } from '../../../platform/key-ring.ts'
import { countTry, requireTriesLeft, tooManyTries, triesOf } from '../../../platform/limits.ts'
import { mailTask } from '../../../platform/mail.ts'
import { verifyPassword } from '../../../platform/passwords.ts'
import { placeIn, TOTP_SEEDS } from '../../../platform/sealed-columns.ts'
import type { Statement } from '../../../platform/statements.ts'
import { authErrors } from '../auth.errors.ts'
import { passwordMustStillBe, passwordOf } from '../password/password.queries.ts'
import { countFailure, limitsOfProof } from '../password/password.usecases.ts'
import {
  activeFactor,
  type ActiveFactor,
  confirmFactor,
  factorOf,
  insertFactor,
  recoveryCodesLeft,
  removeFactor,
  replaceRecoveryCodes,
  takeRecoveryCode,
  takeStep,
} from './mfa.queries.ts'
import {
  codesAround,
  isTotp,
  otpauthUri,
  plainRecoveryCode,
  recoveryCodeOf,
  toBase32,
} from './mfa.rules.ts'

const SEED_BYTES = 20
const RECOVERY_CODES = 10
const RECOVERY_BYTES = 10

/** What a user proves by who it is: exactly one of the two. */
export interface Proof {
  password?: string | undefined
  code?: string | undefined
}

export interface Factors {
  /** When TOTP was turned on; null while it is off. */
  totpSince: number | null
  recoveryCodes: number
}

export async function listFactors(ctx: SignedIn): Promise<Factors> {
  const { userId } = ctx.caller
  const [[factor], [left]] = await read(ctx, factorOf(userId), recoveryCodesLeft(userId))
  return { totpSince: factor?.confirmedAt ?? null, recoveryCodes: left?.count ?? 0 }
}

/**
 * Makes a secret, which counts once a code of it confirms that an app holds it. Asks for the password of
 * who has one, so that a stolen session cannot put its own factor in front of the owner.
 */
export async function beginTotp(
  ctx: SignedIn,
  password: string | undefined,
): Promise<{ secret: string; uri: string }> {
  const { userId } = ctx.caller
  const limits = await limitsOfProof(ctx)
  const [[factor], [user], tries] = await read(
    ctx,
    factorOf(userId),
    passwordOf(userId),
    triesOf(limits),
  )
  requireTriesLeft(ctx, limits, tries)
  if (factor && factor.confirmedAt !== null) {
    throw authErrors.mfaOn()
  }
  const hash = user?.passwordHash ?? null
  const hasNone = hash === null && password === undefined
  if (!hasNone && !(await verifyPassword(password ?? '', hash, ctx.settings.passwordCost))) {
    await countFailure(ctx, limits, { action: 'mfa.refused', userId })
    throw wrong({ password })()
  }
  const secret = toBase32(ctx.ports.random(SEED_BYTES))
  const id = freshId(ctx, 'mfa')
  const seed = await sealSecret(ctx, placeIn(TOTP_SEEDS, id), secret)
  return commit(ctx, {
    action: 'mfa.begun',
    resource: { type: 'mfaFactor', id },
    writes: [
      ...limits.flatMap((limit) => countTry(ctx, limit)),
      passwordMustStillBe(userId, hash),
      ...insertFactor({ id, userId, seed, createdAt: ctx.now }),
    ],
    result: { secret, uri: otpauthUri(secret, profileOf(ctx).email) },
    guards: { gone: wrong({ password }), limit: tooManyTries },
    conflicts: { 'mfa_factors.user_id': authErrors.mfaOn },
  })
}

/** Turns TOTP on, and gives the recovery codes this once. */
export async function confirmTotp(ctx: SignedIn, code: string): Promise<string[]> {
  const { userId } = ctx.caller
  const limits = await limitsOfProof(ctx)
  const [[factor], tries] = await read(ctx, factorOf(userId), triesOf(limits))
  requireTriesLeft(ctx, limits, tries)
  if (!factor) {
    throw authErrors.mfaNotBegun()
  }
  if (factor.confirmedAt !== null) {
    throw authErrors.mfaOn()
  }
  const step = await stepOfCode(ctx, { factorId: factor.id, seed: factor.seed, after: 0 }, code)
  if (step === undefined) {
    await countFailure(ctx, limits, { action: 'mfa.refused', userId })
    throw authErrors.wrongCode({ field: 'code' })
  }
  const codes = freshRecoveryCodes(ctx)
  return commit(ctx, {
    action: 'mfa.enabled',
    resource: { type: 'mfaFactor', id: factor.id },
    writes: [
      ...limits.flatMap((limit) => countTry(ctx, limit)),
      ...confirmFactor(ctx, factor, step),
      ...replaceRecoveryCodes(userId, codes.hashes),
    ],
    tasks: [await noticeOf(ctx, 'mfaEnabled')],
    result: codes.texts,
    guards: { gone: authErrors.mfaNotBegun, limit: tooManyTries },
  })
}

export async function disableTotp(ctx: SignedIn, given: Proof): Promise<void> {
  const { factor, isNeeded, writes } = await provenBy(ctx, given)
  if (isNeeded) {
    throw authErrors.passwordNeedsMfa()
  }
  return commit(ctx, {
    action: 'mfa.disabled',
    resource: { type: 'mfaFactor', id: factor.factor_id },
    writes: [...writes, ...removeFactor(ctx, factor.user_id, factor.factor_id)],
    tasks: [await noticeOf(ctx, 'mfaDisabled')],
    result: undefined,
    guards: {
      gone: wrong(given),
      conflict: authErrors.mfaOff,
      stale: authErrors.passwordNeedsMfa,
      limit: tooManyTries,
    },
  })
}

/** Takes the place of all codes that are left. */
export async function renewRecoveryCodes(ctx: SignedIn, given: Proof): Promise<string[]> {
  const { factor, writes } = await provenBy(ctx, given)
  const codes = freshRecoveryCodes(ctx)
  return commit(ctx, {
    action: 'mfa.recoveryCodesReplaced',
    resource: { type: 'mfaFactor', id: factor.factor_id },
    writes: [...writes, ...replaceRecoveryCodes(factor.user_id, codes.hashes)],
    tasks: [await noticeOf(ctx, 'recoveryCodesReplaced')],
    result: codes.texts,
    guards: { gone: wrong(given), limit: tooManyTries },
  })
}

const noticeOf = (
  ctx: SignedIn,
  template: 'mfaEnabled' | 'mfaDisabled' | 'recoveryCodesReplaced',
) => mailTask(ctx, { to: profileOf(ctx).email, template, values: { at: ctx.now } })

const wrong = (given: Proof) => () =>
  given.code === undefined
    ? authErrors.wrongPassword({ field: 'password' })
    : authErrors.wrongCode({ field: 'code' })

/** Asks again for the password or a code before a factor is changed; the writes use the code up. */
async function provenBy(
  ctx: SignedIn,
  given: Proof,
): Promise<{ factor: ActiveFactor; isNeeded: boolean; writes: Statement[] }> {
  const { userId } = ctx.caller
  const limits = await limitsOfProof(ctx)
  const codeHash = hashOfCode(given.code ?? '')
  const [[user], [factor], tries] = await read(
    ctx,
    passwordOf(userId),
    activeFactor(userId, codeHash),
    triesOf(limits),
  )
  requireTriesLeft(ctx, limits, tries)
  if (!factor) {
    throw authErrors.mfaOff()
  }
  const proof =
    given.code === undefined
      ? await proofByPassword(ctx, user?.passwordHash ?? null, given.password ?? '')
      : await proofByCode(ctx, factor, given.code)
  if (!proof) {
    await countFailure(ctx, limits, { action: 'mfa.refused', userId })
    throw wrong(given)()
  }
  return {
    factor,
    isNeeded: user?.passwordNeedsMfa ?? false,
    writes: [...limits.flatMap((limit) => countTry(ctx, limit)), ...proof],
  }
}

/** What asserts that the password still is what it was compared with, when it is the right one. */
const proofByPassword = async (
  { settings, caller }: SignedIn,
  hash: string | null,
  password: string,
): Promise<Statement[] | undefined> =>
  (await verifyPassword(password, hash, settings.passwordCost))
    ? [passwordMustStillBe(caller.userId, hash)]
    : undefined

/** What uses the code up, when it is one that works now; its writes break `gone` when another was first. */
export async function proofByCode(
  ctx: Context,
  factor: ActiveFactor,
  code: string,
): Promise<Statement[] | undefined> {
  if (!isTotp(code)) {
    return factor.is_recovery === 1 ? takeRecoveryCode(factor.user_id, hashOfCode(code)) : undefined
  }
  const { factor_id: factorId, seed, last_step: after } = factor
  const step = await stepOfCode(ctx, { factorId, seed, after }, code)
  return step === undefined ? undefined : takeStep(factorId, step)
}

/** The time step that the code belongs to, if it is near now and later than the last one used. */
async function stepOfCode(
  ctx: Context,
  factor: { factorId: string; seed: string; after: number },
  code: string,
): Promise<number | undefined> {
  const seed = await openSecret(ctx, placeIn(TOTP_SEEDS, factor.factorId), factor.seed)
  const codes = await codesAround(seed, ctx.now)
  return codes.find((one) => sameText(one.code, code) && one.step > factor.after)?.step
}

export const hashOfCode = (code: string): string => sha256Text(plainRecoveryCode(code))

function freshRecoveryCodes(ctx: Context): { texts: string[]; hashes: string[] } {
  const texts = Array.from({ length: RECOVERY_CODES }, () =>
    recoveryCodeOf(ctx.ports.random(RECOVERY_BYTES)),
  )
  return { texts, hashes: texts.map(hashOfCode) }
}
