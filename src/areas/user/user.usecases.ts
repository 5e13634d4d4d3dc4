import { changesBetween } from '../../domain/changes.ts'
import { type Profile, profileOf, type SignedIn } from '../../platform/context.ts'
import { commit, read, requireVersion } from '../../platform/database.ts'
import { countTry, requireTriesLeft, triesOf } from '../../platform/limits.ts'
import { verifyPassword } from '../../platform/passwords.ts'
import type { Statement } from '../../platform/statements.ts'
import {
  authErrors,
  countFailure,
  limitsOfProof,
  passwordMustStillBe,
} from '../auth/auth.public.ts'
import { type OwnState, ownState, updateOwnUser } from './user.queries.ts'
import { columnsOf, type SentProfile } from './user.rules.ts'

export interface OwnProfile {
  user: Profile
  deletionDueAt: number | null
}

export async function findProfile(ctx: SignedIn): Promise<OwnProfile> {
  const [[own]] = await read(ctx, ownState(ctx))
  return { user: profileOf(ctx), deletionDueAt: stateOf(own).deletionDueAt }
}

function stateOf(own: OwnState | undefined): OwnState {
  if (!own) {
    throw new Error('the session check let somebody pass who is not there')
  }
  return own
}

/** Changes the fields that are sent. Nothing stored is converted into another base currency. */
export async function changeProfile(ctx: SignedIn, sent: SentProfile): Promise<OwnProfile> {
  const { user, deletionDueAt } = await findProfile(ctx)
  requireVersion(ctx, user.version)
  const columns = columnsOf(sent)
  return commit(ctx, {
    action: 'user.updated',
    resource: { type: 'user', id: user.id },
    changes: changesBetween(user, sent),
    writes: updateOwnUser(ctx, user.version, columns),
    result: { user: changed(ctx, user, sent), deletionDueAt },
  })
}

/** The user as it is after a commit of this request changed it. */
export const changed = (ctx: SignedIn, user: Profile, sent: SentProfile = {}): Profile => ({
  ...user,
  name: sent.name ?? user.name,
  locale: sent.locale ?? user.locale,
  timeZone: sent.timeZone ?? user.timeZone,
  baseCurrency: sent.baseCurrency ?? user.baseCurrency,
  version: user.version + 1,
  updatedAt: ctx.now,
})

export const wrongPassword = () => authErrors.wrongPassword({ field: 'password' })

/**
 * Asks for the password again, as far as the user has one, before something is erased; where the request is for the
 * user itself, its version is compared. The writes count the try
 * and break `gone` when the password was changed meanwhile.
 */
export async function provenByPassword(
  ctx: SignedIn,
  password: string | undefined,
): Promise<{ own: OwnState; writes: Statement[] }> {
  const limits = await limitsOfProof(ctx)
  const [[found], tries] = await read(ctx, ownState(ctx), triesOf(limits))
  // Ahead of the password, as a wrong one is counted, and that is a commit.
  requireVersion(ctx, profileOf(ctx).version)
  requireTriesLeft(ctx, limits, tries)
  const own = stateOf(found)
  const { passwordHash } = own
  const isAsked = passwordHash !== null || password !== undefined
  if (isAsked && !(await verifyPassword(password ?? '', passwordHash, ctx.settings.passwordCost))) {
    await countFailure(ctx, limits, { action: 'password.refused', userId: ctx.caller.userId })
    throw wrongPassword()
  }
  return {
    own,
    writes: [
      ...limits.flatMap((limit) => countTry(ctx, limit)),
      passwordMustStillBe(ctx.caller.userId, passwordHash),
    ],
  }
}
