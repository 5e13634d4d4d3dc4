import { type Profile, profileOf, type SignedIn } from '../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../platform/database.ts'
import {
  passwordEvents,
  prove,
  type Proven,
  updateUserRow,
} from '../../identity/auth/auth.public.ts'
import { userEvents } from '../../identity/user-administration/user-administration.public.ts'
import { type OwnState, ownState } from './own-user.queries.ts'
import { profileColumns, type SentProfile } from './own-user.rules.ts'

export interface OwnProfile {
  user: Profile
  deletionDueAt: number | null
}

export async function getProfile(ctx: SignedIn): Promise<OwnProfile> {
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
export async function updateProfile(ctx: SignedIn, sent: SentProfile): Promise<OwnProfile> {
  const { user, deletionDueAt } = await getProfile(ctx)
  requireVersion(ctx, user.version)
  const after = changed(ctx, user, sent)
  const { id, version } = after
  return commit(ctx, {
    changes: [
      {
        statements: updateUserRow(ctx, user, profileColumns(sent)),
        events: [userEvents.updated({ id, version }, { before: user, after })],
      },
    ],
    result: { user: after, deletionDueAt },
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

/**
 * Asks for the password again, as far as the user has one, before something is erased; where the request is for the
 * user itself, its version is compared.
 */
export async function provenByPassword(
  ctx: SignedIn,
  password: string | undefined,
): Promise<Proven<OwnState> & { state: OwnState }> {
  const proof = await prove(
    ctx,
    { password },
    {
      otherwise: 'noPassword',
      refused: passwordEvents.refused,
      // Ahead of the password, as a wrong one is a commit of its own.
      check: () => requireVersion(ctx, profileOf(ctx).version),
      also: ownState(ctx),
    },
  )
  return { ...proof, state: stateOf(proof.also[0]) }
}
