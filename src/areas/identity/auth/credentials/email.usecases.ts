import { addressKey, isSameAddress } from '../../../../domain/email.ts'
import { type Context, profileOf, type SignedIn } from '../../../../platform/context.ts'
import { sha256Text } from '../../../../platform/secrets/crypto.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import { type Change, withoutEvents } from '../../../../platform/log/events.ts'
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
import { addressColumns, whenAddressTaken } from '../../addresses/addresses.public.ts'
import { authErrors, invalidOneTimeToken } from '../auth.errors.ts'
import { emailEvents, ofUser } from '../auth.events.ts'
import {
  forgetAllTokensOf,
  forgetTokensOf,
  insertOneTimeToken,
  redeemOneTimeToken,
} from '../one-time-tokens.queries.ts'
import { confirmationFor, freshToken } from '../auth.usecases.ts'
import { countFailure, prove } from './proof.usecases.ts'
import { deletePersonalTokensOf, endSignInsOf } from '../sessions/sessions.queries.ts'
import { confirmationBy, type ConfirmationRow, confirmEmail } from './credentials.queries.ts'

const CHANGE_HOURS = 24

export interface EmailConfirmation {
  /** True if the address replaced another one, which ends sessions and personal access tokens. */
  isNewAddress: boolean
  tokensEnded: number
}

/** Confirms the address that the token was mailed to: the one that its user has, or the one that it wants. */
export async function verifyEmail(ctx: Context, token: string): Promise<EmailConfirmation> {
  const tokenHash = sha256Text(token)
  const { loginLimitClient } = ctx.settings
  const client = await limitOf(ctx, `token client ${clientOf(ctx)}`, loginLimitClient)
  const [[found], tries] = await read(ctx, confirmationBy(ctx, tokenHash), triesOf([client]))
  requireTriesLeft(ctx, [client], tries)
  if (!found) {
    await countFailure(ctx, [client], emailEvents.refused(ofUser(null)))
    throw invalidOneTimeToken()
  }
  const { user_id: userId, purpose, new_email: wanted } = found
  const redeemed = withoutEvents([
    mustHaveTriesLeft(ctx, client),
    ...redeemOneTimeToken(ctx, { tokenHash, purpose, userId }),
  ])
  return wanted === null ? confirmOwn(ctx, userId, redeemed) : moveTo(ctx, wanted, found, redeemed)
}

const confirmOwn = (ctx: Context, userId: string, redeemed: Change): Promise<EmailConfirmation> =>
  commit(ctx, {
    actorId: userId,
    changes: [
      redeemed,
      { statements: confirmEmail(ctx, userId), events: [emailEvents.verified(ofUser(userId))] },
    ],
    result: { isNewAddress: false, tokensEnded: 0 },
  })

/** Moves the user to a new address. All tokens mailed to the old address, all sessions and all personal access tokens end. */
const moveTo = (
  ctx: Context,
  email: string,
  { user_id: userId, email: before, tokens: tokensEnded }: ConfirmationRow,
  redeemed: Change,
): Promise<EmailConfirmation> =>
  commit(ctx, {
    actorId: userId,
    changes: [
      redeemed,
      {
        statements: [
          ...confirmEmail(ctx, userId, addressColumns(email)),
          forgetAllTokensOf(userId),
          ...endSignInsOf(ctx, userId),
          deletePersonalTokensOf(userId),
        ],
        events: [
          emailEvents.changed(ofUser(userId), {
            before: { email: before },
            after: { email },
            tokensEnded,
          }),
        ],
      },
    ],
    result: { isNewAddress: true, tokensEnded },
    conflicts: whenAddressTaken(() => authErrors.emailTaken({ field: 'token' })),
  })

/** Mails another token for the own address. */
export async function resendConfirmation(ctx: SignedIn): Promise<void> {
  const { userId } = ctx.caller
  const limit = await limitOf(ctx, `confirmation of ${userId}`, MOST_MAILS)
  const [tries] = await read(ctx, triesOf([limit]))
  const { email, emailVerified } = profileOf(ctx)
  if (emailVerified) {
    throw authErrors.emailVerified()
  }
  requireMail(ctx)
  requireTriesLeft(ctx, [limit], tries)
  const { writes, task } = await confirmationFor(ctx, { userId, email })
  return commit(ctx, {
    changes: [
      withoutEvents(countTry(ctx, limit)),
      { statements: writes, events: [emailEvents.confirmationResent(ofUser(userId))] },
    ],
    tasks: [task],
    result: undefined,
  })
}

/**
 * Mails a token to the address that the user wants, and a warning to the one that it has. Whether somebody
 * else has the new one shows only to who can read its mail.
 */
export async function changeEmail(
  ctx: SignedIn,
  wanted: { email: string; password: string },
): Promise<void> {
  const { userId } = ctx.caller
  const mails = [
    await limitOf(ctx, `email change of ${userId}`, MOST_MAILS),
    await limitOf(ctx, `email change to ${addressKey(wanted.email)}`, MOST_MAILS),
  ]
  const proof = await prove(
    ctx,
    { password: wanted.password },
    {
      otherwise: 'nothing',
      refused: emailEvents.changeRefused,
      check: () => {
        if (isSameAddress(wanted.email, profileOf(ctx).email)) {
          throw authErrors.sameEmail({ field: 'email' })
        }
        requireMail(ctx)
      },
    },
  )
  const { email: current } = profileOf(ctx)
  const token = await freshToken(ctx, 'emc')
  const values = { token: token.text, hours: CHANGE_HOURS }
  const warning = {
    to: current,
    template: 'emailChangeRequested',
    values: { at: ctx.now },
  } as const
  const tasks = [
    await mailTask(ctx, { to: wanted.email, template: 'emailChange', values }),
    await mailTask(ctx, warning),
  ]
  return proof.orTakeBack(() =>
    commit(ctx, {
      changes: [
        withoutEvents([...proof.writes, ...mails.flatMap((limit) => countTry(ctx, limit))]),
        {
          statements: [
            forgetTokensOf(userId, 'emailChange'),
            ...insertOneTimeToken(ctx, {
              tokenHash: token.hash,
              purpose: 'emailChange',
              userId,
              email: wanted.email,
              lifeMs: CHANGE_HOURS * 60 * 60 * 1000,
            }),
          ],
          events: [
            emailEvents.changeRequested(ofUser(userId), {
              before: { email: current },
              after: { email: wanted.email },
            }),
          ],
        },
      ],
      tasks,
      result: undefined,
    }),
  )
}
