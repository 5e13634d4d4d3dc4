import { addressKey } from '../../../../domain/email.ts'
import {
  type Context,
  profileOf,
  sessionIdOf,
  type SignedIn,
} from '../../../../platform/context.ts'
import { sha256Text } from '../../../../platform/secrets/crypto.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import { withoutEvents } from '../../../../platform/log/events.ts'
import {
  clientOf,
  countTry,
  mustHaveTriesLeft,
  limitOf,
  MOST_MAILS,
  requireTriesLeft,
  triesOf,
} from '../../../../platform/limits.ts'
import { mailTask, requireMail } from '../../../../platform/outbound/mail.ts'
import { hashPassword } from '../../../../platform/secrets/passwords.ts'
import { profileFrom } from '../../../../platform/database/session.ts'
import type { NewTask } from '../../../../platform/work/task-rows.ts'
import { authErrors, invalidOneTimeToken } from '../auth.errors.ts'
import { ofUser, passwordEvents } from '../auth.events.ts'
import { needsMfa } from '../auth.rules.ts'
import { requireGoodPassword, freshToken } from '../auth.usecases.ts'
import {
  forgetTokensOf,
  holderOfToken,
  type HolderRow,
  insertOneTimeToken,
  redeemOneTimeToken,
  type Showing,
} from '../one-time-tokens.queries.ts'
import { countFailure, prove } from './proof.usecases.ts'
import { deletePersonalTokensOf, endSignInsOf } from '../sessions/sessions.queries.ts'
import {
  type ChosenPassword,
  mustBeVersion,
  setNewPassword,
  userStillAt,
  userToRemind,
} from './credentials.queries.ts'

const RESET_MINUTES = 60
const PURPOSE = 'passwordReset'

/** Sets another password and ends all other sessions of the caller, and, unless they stay, its personal access tokens. */
export async function changePassword(
  ctx: SignedIn,
  given: { currentPassword: string; newPassword: string; keepTokens?: boolean | undefined },
): Promise<{ tokensEnded: number }> {
  const { userId } = ctx.caller
  const { newPassword, keepTokens = false } = given
  const proof = await prove(
    ctx,
    { password: given.currentPassword },
    {
      otherwise: 'nothing',
      refused: passwordEvents.refused,
      field: 'currentPassword',
      check: () => requireGoodPassword(newPassword, profileOf(ctx), 'newPassword'),
    },
  )
  const tokensEnded = keepTokens ? 0 : proof.own.tokens
  return proof.orTakeBack(async () =>
    commit(ctx, {
      changes: [
        withoutEvents(proof.writes),
        {
          statements: [
            ...setNewPassword(ctx, userId, await stored(ctx, newPassword), tooShort('newPassword')),
            ...endSignInsOf(ctx, userId, sessionIdOf(ctx)),
            ...(keepTokens ? [] : [deletePersonalTokensOf(userId)]),
            forgetTokensOf(userId, PURPOSE),
            // Somebody who knew the old password may have requested another address.
            forgetTokensOf(userId, 'emailChange'),
          ],
          events: [passwordEvents.changed(ofUser(userId), { tokensEnded })],
        },
      ],
      tasks: [await changedMail(ctx, profileOf(ctx).email)],
      result: { tokensEnded },
    }),
  )
}

const stored = async (ctx: Context, password: string): Promise<ChosenPassword> => ({
  passwordHash: await hashPassword(ctx, password),
  passwordNeedsMfa: needsMfa(password),
})

/** The refusal of a password that was long enough until the second factor was turned off meanwhile. */
const tooShort = (field: string) => () => authErrors.passwordTooShort({ field })

const changedMail = (ctx: Context, to: string) =>
  mailTask(ctx, { to, template: 'passwordChanged', values: { at: ctx.now } })

/**
 * Mails a token that sets a new password. Whether anybody has the address shows neither in the answer nor
 * in the work: for nobody a token of nobody and a task that does nothing are stored.
 */
export async function forgotPassword(ctx: Context, email: string): Promise<void> {
  requireMail(ctx)
  const limits = [
    await limitOf(ctx, `reset account ${addressKey(email)}`, MOST_MAILS),
    await limitOf(ctx, `reset client ${clientOf(ctx)}`, ctx.settings.loginLimitClient),
  ]
  const [[user], tries] = await read(ctx, userToRemind(email), triesOf(limits))
  requireTriesLeft(ctx, limits, tries)
  const token = await freshToken(ctx, 'pwr')
  const mail = await mailTask(ctx, {
    to: user?.email ?? 'nobody',
    template: PURPOSE,
    values: { token: token.text, minutes: RESET_MINUTES },
  })
  return commit(ctx, {
    changes: [
      withoutEvents(limits.flatMap((limit) => countTry(ctx, limit))),
      {
        statements: insertOneTimeToken(ctx, {
          tokenHash: token.hash,
          purpose: PURPOSE,
          userId: user ? userStillAt(user.id, email) : null,
          lifeMs: RESET_MINUTES * 60_000,
        }),
        events: [passwordEvents.resetRequested(ofUser(user?.id ?? null))],
      },
    ],
    tasks: [user ? mail : toNobody(mail)],
    result: undefined,
  })
}

export const MAIL_TO_NOBODY = 'auth.mailToNobody'

const toNobody = (mail: NewTask): NewTask => ({ ...mail, kind: MAIL_TO_NOBODY })

/** True if the user has no permissions that were granted after the token was shown to somebody. */
function isGoodFor(holder: HolderRow): boolean {
  const showing = JSON.parse(holder.permitted ?? 'null') as Showing | null
  return (
    !showing ||
    profileFrom(holder).permissions.every((permission) => showing.permissions.includes(permission))
  )
}

/** Sets the password of whoever holds the token, and ends all of their sessions and personal access tokens. */
export async function resetPassword(
  ctx: Context,
  given: { token: string; password: string },
): Promise<{ tokensEnded: number }> {
  const tokenHash = sha256Text(given.token)
  const { loginLimitClient } = ctx.settings
  const client = await limitOf(ctx, `token client ${clientOf(ctx)}`, loginLimitClient)
  const [[holder], tries] = await read(
    ctx,
    holderOfToken(ctx, PURPOSE, tokenHash),
    triesOf([client]),
  )
  requireTriesLeft(ctx, [client], tries)
  if (!holder || !isGoodFor(holder)) {
    await countFailure(ctx, [client], passwordEvents.resetRefused(ofUser(null)))
    throw invalidOneTimeToken()
  }
  const user = profileFrom(holder)
  requireGoodPassword(given.password, user, 'password')
  const chosen = await stored(ctx, given.password)
  return commit(ctx, {
    actorId: user.id,
    changes: [
      withoutEvents([mustHaveTriesLeft(ctx, client)]),
      {
        statements: [
          ...(holder.permitted === null ? [] : [mustBeVersion(user)]),
          ...redeemOneTimeToken(ctx, { tokenHash, purpose: PURPOSE, userId: user.id }),
          ...setNewPassword(ctx, user.id, chosen, tooShort('password')),
          ...endSignInsOf(ctx, user.id),
          deletePersonalTokensOf(user.id),
          forgetTokensOf(user.id, 'emailChange'),
        ],
        events: [passwordEvents.reset(ofUser(user.id))],
      },
    ],
    tasks: [await changedMail(ctx, user.email)],
    result: { tokensEnded: holder.tokens },
  })
}
