import type { SignedIn } from '../../../platform/context.ts'
import { commit } from '../../../platform/database/database.ts'
import { mailTask, requireMail } from '../../../platform/outbound/mail.ts'
import type { Statement } from '../../../platform/database/statements.ts'
import {
  deleteFactorsOf,
  deletePersonalTokensOf,
  endSignInsOf,
  forgetAllTokensOf,
  forgetTokensOf,
  freshToken,
  insertOneTimeToken,
  type Showing,
  updateUserRow,
} from '../auth/auth.public.ts'
import { userErrors } from './user-administration.errors.ts'
import { userEvents } from './user-administration.events.ts'
import { userMustNotBeStronger } from './user-administration.queries.ts'
import { permissionsOf } from './user-administration.rules.ts'
import {
  type AdminUser,
  findUserToChange,
  nextStamps,
  own,
  requireOther,
} from './user-administration.usecases.ts'

const PURPOSE = 'passwordReset'
const MINUTE_MS = 60_000
/** The minutes for which a code is valid. */
const MINUTES = { mail: 60, reveal: 24 * 60 }

/** A code that sets a password; null where the user gets it by mail. */
export interface ResetCode {
  token: string | null
  expiresAt: number
}

/** Makes the password unusable, and lets the user choose another one. */
export async function resetUserPassword(
  ctx: SignedIn,
  id: string,
  delivery: keyof typeof MINUTES,
): Promise<ResetCode> {
  const user = await findUserToChange(ctx, id)
  requireOther(ctx, user)
  const minutes = MINUTES[delivery]
  if (delivery === 'reveal' && ctx.caller.tokenHash !== null) {
    throw userErrors.revealNeedsPerson({ field: 'delivery' })
  }
  if (delivery === 'mail') {
    requireMail(ctx)
  }
  const code = await freshCode(
    ctx,
    id,
    minutes,
    delivery === 'reveal'
      ? { shownTo: ctx.caller.userId, permissions: permissionsOf(user.roles) }
      : undefined,
  )
  return commit(ctx, {
    changes: [
      {
        statements: [
          userMustNotBeStronger(ctx, id),
          ...updateUserRow(ctx, user, withoutPassword(ctx)),
          ...endSignInsOf(ctx, id),
          deletePersonalTokensOf(id),
          ...code.writes,
        ],
        events: [userEvents.passwordReset(own({ id, version: user.version + 1 }), { delivery })],
      },
    ],
    tasks: delivery === 'mail' ? [await mailOf(ctx, user, code.text, minutes)] : [],
    result: {
      token: delivery === 'reveal' ? code.text : null,
      expiresAt: ctx.now + minutes * MINUTE_MS,
    },
  })
}

/**
 * In the place of every earlier code, also of one that would move the user to another address.
 * @param showing of a code that is shown to somebody else: it is good only while they could still make it, and for no
 * more than the user may do now
 */
async function freshCode(
  ctx: SignedIn,
  userId: string,
  minutes: number,
  showing?: Showing,
): Promise<{ text: string; writes: Statement[] }> {
  const { text, hash } = await freshToken(ctx, 'pwr')
  const token = {
    tokenHash: hash,
    purpose: PURPOSE,
    userId,
    ...(showing ? { permitted: JSON.stringify(showing) } : {}),
    lifeMs: minutes * MINUTE_MS,
  } as const
  return { text, writes: [forgetAllTokensOf(userId), ...insertOneTimeToken(ctx, token)] }
}

/**
 * Removes the password as a change of now, so that a password that is being compared at this moment no longer counts.
 */
const withoutPassword = (ctx: SignedIn) => ({
  passwordHash: null,
  passwordNeedsMfa: false,
  passwordChangedAt: ctx.now,
})

const mailOf = (ctx: SignedIn, { email: to }: AdminUser, token: string, minutes: number) =>
  mailTask(ctx, { to, template: 'passwordResetByAdministrator', values: { token, minutes } })

/**
 * Removes the second factor of a user who lost it. A password that was good enough only together with it
 * goes, too, and another one is chosen by mail.
 */
export async function resetUserMfa(ctx: SignedIn, id: string): Promise<AdminUser> {
  const user = await findUserToChange(ctx, id)
  requireOther(ctx, user)
  if (user.mfaEnabledAt === null) {
    throw userErrors.mfaOff()
  }
  const { passwordNeedsMfa } = user
  const code = passwordNeedsMfa ? await freshCode(ctx, id, MINUTES.mail) : undefined
  const notice = { to: user.email, template: 'mfaReset', values: { at: ctx.now } } as const
  const after = {
    ...user,
    mfaEnabledAt: null,
    passwordNeedsMfa: false,
    hasPassword: user.hasPassword && !passwordNeedsMfa,
    ...nextStamps(ctx, user),
  }
  return commit(ctx, {
    changes: [
      {
        statements: [
          userMustNotBeStronger(ctx, id),
          ...updateUserRow(ctx, user, {
            mfaEnabledAt: null,
            ...(passwordNeedsMfa ? withoutPassword(ctx) : {}),
          }),
          ...deleteFactorsOf(id),
          ...endSignInsOf(ctx, id),
          forgetTokensOf(id, 'emailChange'),
          ...(code?.writes ?? []),
        ],
        events: [userEvents.mfaReset(own(after), { before: user, after })],
      },
    ],
    tasks: [
      await mailTask(ctx, notice),
      ...(code ? [await mailOf(ctx, user, code.text, MINUTES.mail)] : []),
    ],
    result: after,
  })
}

/** The answer to a compromise: ends sessions and personal access tokens, and takes back a change of the address that waits. */
export async function revokeUserSessions(ctx: SignedIn, id: string): Promise<void> {
  const user = await findUserToChange(ctx, id)
  return commit(ctx, {
    changes: [
      {
        statements: [
          userMustNotBeStronger(ctx, id),
          ...endSignInsOf(ctx, id),
          deletePersonalTokensOf(id),
          forgetTokensOf(id, 'emailChange'),
        ],
        events: [userEvents.sessionsRevoked(own(user))],
      },
    ],
    result: undefined,
  })
}
