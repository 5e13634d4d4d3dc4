import { type Context, profileOf, type SignedIn } from '../../../platform/context.ts'
import { sha256Text } from '../../../platform/crypto.ts'
import { commit, read } from '../../../platform/database.ts'
import {
  clientOf,
  countTry,
  limitOf,
  requireTriesLeft,
  tooManyTries,
  triesOf,
} from '../../../platform/limits.ts'
import { authErrors } from '../auth.errors.ts'
import { holderOfToken, redeemOneTimeToken } from '../one-time-tokens/one-time-tokens.queries.ts'
import { confirmationFor } from '../one-time-tokens/one-time-tokens.usecases.ts'
import { countFailure } from '../password/password.usecases.ts'
import { setEmailVerified } from './email.queries.ts'

const PURPOSE = 'emailVerification'
/** How many mails a user may ask for in fifteen minutes. */
const RESENT_MAILS = 5

/** Confirms the address that the token was mailed to. */
export async function verifyEmail(ctx: Context, token: string): Promise<void> {
  const tokenHash = await sha256Text(token)
  const { loginLimitClient } = ctx.settings
  const client = await limitOf(ctx, `token client ${clientOf(ctx)}`, loginLimitClient)
  const [[holder], tries] = await read(
    ctx,
    holderOfToken(ctx, PURPOSE, tokenHash),
    triesOf([client]),
  )
  requireTriesLeft(ctx, [client], tries)
  const invalid = () => authErrors.invalidToken({ field: 'token' })
  if (!holder) {
    await countFailure(ctx, [client], { action: 'email.refused' })
    throw invalid()
  }
  const { user_id: userId } = holder
  return commit(ctx, {
    action: 'email.verified',
    resource: { type: 'user', id: userId },
    actorId: userId,
    writes: [
      ...countTry(ctx, client),
      ...redeemOneTimeToken(ctx, { tokenHash, purpose: PURPOSE, userId }),
      setEmailVerified(ctx, userId),
    ],
    result: undefined,
    guards: { gone: invalid, limit: tooManyTries },
  })
}

/** Mails another token for the own address. */
export async function resendConfirmation(ctx: SignedIn): Promise<void> {
  const { userId } = ctx.caller
  const limit = await limitOf(ctx, `confirmation of ${userId}`, RESENT_MAILS)
  const [tries] = await read(ctx, triesOf([limit]))
  const { email, emailVerified } = profileOf(ctx)
  if (emailVerified) {
    throw authErrors.emailVerified()
  }
  requireTriesLeft(ctx, [limit], tries)
  const { writes, task } = await confirmationFor(ctx, { userId, email })
  return commit(ctx, {
    action: 'email.confirmationResent',
    resource: { type: 'user', id: userId },
    writes: [...countTry(ctx, limit), ...writes],
    tasks: [task],
    result: undefined,
    guards: { limit: tooManyTries },
  })
}
