import type { Context } from '../../../../platform/context.ts'
import { sameText, sha256Text } from '../../../../platform/crypto.ts'
import { openSecret } from '../../../../platform/key-ring.ts'
import type { Refusal } from '../../../../platform/refusals.ts'
import { placeIn, TOTP_SEEDS } from '../../../../platform/sealed-columns.ts'
import type { Statement } from '../../../../platform/statements.ts'
import { type ActiveFactor, takeRecoveryCode, takeStep } from '../mfa/mfa.queries.ts'
import { codesAround, isTotp, plainRecoveryCode } from '../mfa/mfa.rules.ts'

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
