import type { Context } from '../../../../platform/context.ts'
import { sha256Text } from '../../../../platform/crypto.ts'
import { commit, read } from '../../../../platform/database.ts'
import { withoutEvents } from '../../../../platform/events.ts'
import {
  clientOf,
  countTry,
  limitOf,
  mustHaveTriesLeft,
  requireTriesLeft,
  triesOf,
} from '../../../../platform/limits.ts'
import { profileFrom } from '../../../../platform/session.ts'
import { authErrors } from '../auth.errors.ts'
import { ofUser, sessionEvents } from '../auth.events.ts'
import { stillAsRead } from '../auth.queries.ts'
import { newSession, type SignIn } from '../auth.usecases.ts'
import { challengeToFinish, countChallengeTry, spendChallenge } from '../mfa/mfa.queries.ts'
import { isTotp } from '../mfa/mfa.rules.ts'
import { hashOfCode, proofByCode } from '../proof/codes.usecases.ts'
import { countFailure, tellFailure } from '../proof/proof.usecases.ts'

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
