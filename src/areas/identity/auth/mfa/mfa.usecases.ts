import { type Context, freshId, profileOf, type SignedIn } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import { withoutEvents } from '../../../../platform/log/events.ts'
import { sealSecret } from '../../../../platform/secrets/key-ring.ts'
import {
  mustHaveTriesLeft,
  requireTriesLeft,
  triesOf,
  clientOf,
  countTry,
  limitOf,
} from '../../../../platform/limits.ts'
import { mailTask } from '../../../../platform/outbound/mail.ts'
import { placeIn, TOTP_SEEDS } from '../../../../platform/secrets/sealed-columns.ts'
import { sha256Text } from '../../../../platform/secrets/crypto.ts'
import { profileFrom } from '../../../../platform/database/session.ts'
import { authErrors } from '../auth.errors.ts'
import { mfaEvents, ofFactor, ofUser, sessionEvents } from '../auth.events.ts'
import {
  countFailure,
  limitsOfProof,
  type Proof,
  prove,
  type Proven,
  tellFailure,
  hashOfCode,
  stepOfCode,
  proofByCode,
} from '../credentials/proof.usecases.ts'
import { stillAsRead } from '../auth.queries.ts'
import { newSession, type SignIn } from '../auth.usecases.ts'
import {
  type ActiveFactor,
  confirmFactor,
  factorOf,
  insertFactor,
  mustBeOn,
  recoveryCodesLeft,
  removeFactor,
  replaceRecoveryCodes,
  challengeToFinish,
  countChallengeTry,
  spendChallenge,
} from './mfa.queries.ts'
import { otpauthUri, recoveryCodeOf, toBase32, isTotp } from '../auth.rules.ts'

const SEED_BYTES = 20
const RECOVERY_CODES = 10
/** 120 bits: a code of fewer than 112 would need a salted, slow hash. */
const RECOVERY_BYTES = 15

export interface Factors {
  /** When TOTP was turned on; null while it is off. */
  totpSince: number | null
  recoveryCodes: number
}

export async function getMfa(ctx: SignedIn): Promise<Factors> {
  const { userId } = ctx.caller
  const [[factor], [left]] = await read(ctx, factorOf(userId), recoveryCodesLeft(userId))
  return { totpSince: factor?.confirmedAt ?? null, recoveryCodes: left?.count ?? 0 }
}

/**
 * Makes a secret, which counts once a code of it confirms that an app holds it. Asks for the
 * password, or for a sign-in of just now where the user has none, so that a stolen session cannot put its own factor in
 * front of the owner.
 */
export async function beginTotp(
  ctx: SignedIn,
  password: string | undefined,
): Promise<{ secret: string; uri: string }> {
  const { userId } = ctx.caller
  const proof = await prove(
    ctx,
    { password },
    {
      otherwise: 'noPassword',
      refused: mfaEvents.refused,
      check: ({ factor }) => {
        if (factor) {
          throw authErrors.mfaOn()
        }
      },
    },
  )
  const secret = toBase32(ctx.ports.random(SEED_BYTES))
  const id = freshId(ctx, 'mfa')
  const seed = await sealSecret(ctx, placeIn(TOTP_SEEDS, id), secret)
  return proof.orTakeBack(() =>
    commit(ctx, {
      changes: [
        withoutEvents(proof.writes),
        {
          statements: insertFactor({ id, userId, seed, createdAt: ctx.now }),
          events: [mfaEvents.begun(ofFactor(id))],
        },
      ],
      result: { secret, uri: otpauthUri(secret, profileOf(ctx).email) },
      conflicts: { 'mfa_factors.user_id': authErrors.mfaOn },
    }),
  )
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
    await countFailure(ctx, limits, mfaEvents.refused(ofUser(userId)))
    throw authErrors.wrongCode({ field: 'code' })
  }
  const codes = freshRecoveryCodes(ctx)
  return commit(ctx, {
    changes: [
      withoutEvents(limits.map((limit) => mustHaveTriesLeft(ctx, limit))),
      {
        statements: [
          ...confirmFactor(ctx, factor, step),
          ...replaceRecoveryCodes(userId, codes.hashes),
        ],
        events: [mfaEvents.enabled(ofFactor(factor.id))],
      },
    ],
    tasks: [await noticeOf(ctx, 'mfaEnabled')],
    result: codes.texts,
  })
}

export async function disableTotp(ctx: SignedIn, given: Proof): Promise<void> {
  const { proof, factor } = await provenFactor(ctx, given)
  const notice = await noticeOf(ctx, 'mfaDisabled')
  return proof.orTakeBack(() => {
    if (proof.own.passwordNeedsMfa) {
      throw authErrors.passwordNeedsMfa()
    }
    return commit(ctx, {
      changes: [
        withoutEvents(proof.writes),
        {
          statements: removeFactor(ctx, factor.user_id, factor.factor_id),
          events: [mfaEvents.disabled(ofFactor(factor.factor_id))],
        },
      ],
      tasks: [notice],
      result: undefined,
    })
  })
}

/** Takes the place of all codes that are left. */
export async function renewRecoveryCodes(ctx: SignedIn, given: Proof): Promise<string[]> {
  const { proof, factor } = await provenFactor(ctx, given)
  const codes = freshRecoveryCodes(ctx)
  const notice = await noticeOf(ctx, 'recoveryCodesReplaced')
  return proof.orTakeBack(() =>
    commit(ctx, {
      changes: [
        withoutEvents(proof.writes),
        {
          statements: [
            mustBeOn(factor.factor_id),
            ...replaceRecoveryCodes(factor.user_id, codes.hashes),
          ],
          events: [mfaEvents.recoveryCodesReplaced(ofFactor(factor.factor_id))],
        },
      ],
      tasks: [notice],
      result: codes.texts,
    }),
  )
}

const noticeOf = (
  ctx: SignedIn,
  template: 'mfaEnabled' | 'mfaDisabled' | 'recoveryCodesReplaced',
) => mailTask(ctx, { to: profileOf(ctx).email, template, values: { at: ctx.now } })

/** Asks again for the password or a code before the factor is changed. */
async function provenFactor(
  ctx: SignedIn,
  given: Proof,
): Promise<{ proof: Proven; factor: ActiveFactor }> {
  const requireOn = (factor: ActiveFactor | undefined): ActiveFactor => {
    if (!factor) {
      throw authErrors.mfaOff()
    }
    return factor
  }
  const proof = await prove(ctx, given, {
    otherwise: 'nothing',
    refused: mfaEvents.refused,
    check: ({ factor }) => void requireOn(factor),
  })
  return { proof, factor: requireOn(proof.factor) }
}

function freshRecoveryCodes(ctx: Context): { texts: string[]; hashes: string[] } {
  const texts = Array.from({ length: RECOVERY_CODES }, () =>
    recoveryCodeOf(ctx.ports.random(RECOVERY_BYTES)),
  )
  return { texts, hashes: texts.map(hashOfCode) }
}

/** The second leg of a sign-in: a code of the app, or a recovery code. */
export async function loginMfa(
  ctx: Context,
  given: { mfaToken: string; code: string },
): Promise<SignIn> {
  const { loginLimitAccount, loginLimitClient } = ctx.settings
  const tokenHash = sha256Text(given.mfaToken)
  const client = await limitOf(ctx, `login client ${clientOf(ctx)}`, loginLimitClient)
  const [[found], tries] = await read(
    ctx,
    challengeToFinish(ctx, tokenHash, hashOfCode(given.code)),
    triesOf([client]),
  )
  requireTriesLeft(ctx, [client], tries)
  if (!found) {
    await countFailure(ctx, [client], sessionEvents.codeRefused(ofUser(null)))
    throw authErrors.invalidMfaToken()
  }
  const { user_id: userId } = found
  const account = await limitOf(ctx, `login code ${userId}`, loginLimitAccount)
  const proof = await proofByCode(ctx, found, given.code, authErrors.invalidMfaCode)
  if (!proof) {
    await tellFailure(ctx, sessionEvents.codeRefused(ofUser(userId)), [
      ...countTry(ctx, account),
      ...countTry(ctx, client),
      ...countChallengeTry(ctx, tokenHash),
    ])
    throw authErrors.invalidMfaCode()
  }
  const session = await newSession(ctx, profileFrom(found))
  return commit(ctx, {
    actorId: userId,
    changes: [
      withoutEvents([
        // A recovery code is beyond guessing: whoever knows the password and uses the tries up keeps its owner out no more.
        ...(isTotp(given.code) ? [mustHaveTriesLeft(ctx, account)] : []),
        mustHaveTriesLeft(ctx, client),
        ...spendChallenge(ctx, tokenHash),
        ...proof,
        stillAsRead(found, authErrors.invalidMfaToken),
      ]),
      { statements: session.writes, events: [sessionEvents.created({ id: session.id }, {})] },
    ],
    result: session.signIn,
  })
}
