import {
  type Profile,
  profileOf,
  type SignedIn,
  sessionIdOf,
  freshId,
} from '../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../platform/database/database.ts'
import { withoutEvents } from '../../../platform/log/events.ts'
import { mailTask } from '../../../platform/outbound/mail.ts'
import { AppError } from '../../../domain/errors.ts'
import { fileTypeSniffer } from '../../../domain/file-types.ts'
import { deleteFiles, type Range, readFile, storeFile } from '../../../platform/files/bucket.ts'
import {
  passwordEvents,
  prove,
  type Proven,
  updateUserRow,
  deletePersonalTokensOf,
  endSignInsOf,
} from '../../identity/auth/auth.public.ts'
import {
  userEvents,
  mustLeaveAnAdministrator,
} from '../../identity/user-administration/user-administration.public.ts'
import {
  type OwnState,
  ownState,
  ownStatistics,
  type StatisticsRow,
  type AvatarRow,
  deleteAvatarRow,
  ownAvatar,
  putAvatar,
} from './own-user.queries.ts'
import { profileColumns, type SentProfile, MOST_AVATAR_BYTES, PICTURES } from './own-user.rules.ts'
import { ownUserErrors } from './own-user.errors.ts'
import { ownUserEvents } from './own-user.events.ts'

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
const changed = (ctx: SignedIn, user: Profile, sent: SentProfile = {}): Profile => ({
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

const DAY_MS = 24 * 60 * 60 * 1000

/** Has the own user erased after a time in which that can be undone. Meanwhile everything works as before. */
export async function deleteOwnUser(
  ctx: SignedIn,
  given: { password?: string | undefined },
): Promise<OwnProfile> {
  const proof = await provenByPassword(ctx, given.password)
  const { deletionDueAt: scheduled, graceDays } = proof.state
  const user = profileOf(ctx)
  const deletionDueAt = ctx.now + graceDays * DAY_MS
  const mail = { template: 'deletionScheduled', values: { dueAt: deletionDueAt } } as const
  const tasks = [await mailTask(ctx, { ...mail, to: user.email })]
  return proof.orTakeBack(() => {
    if (scheduled !== null) {
      throw ownUserErrors.deletionScheduled()
    }
    const after = changed(ctx, user)
    const { id, version } = after
    return commit(ctx, {
      changes: [
        withoutEvents(proof.writes),
        {
          statements: [
            mustLeaveAnAdministrator(id, ownUserErrors.lastAdministrator),
            ...updateUserRow(ctx, user, { deletionDueAt }),
            ...endSignInsOf(ctx, id, sessionIdOf(ctx)),
            deletePersonalTokensOf(id),
          ],
          events: [
            ownUserEvents.deletionScheduled(
              { id, version },
              { before: { deletionDueAt: null }, after: { deletionDueAt } },
            ),
          ],
        },
      ],
      tasks,
      result: { user: after, deletionDueAt },
    })
  })
}

/** Keeps the own user after all. Sessions and personal access tokens that were ended stay so. */
export async function restoreOwnUser(ctx: SignedIn): Promise<OwnProfile> {
  const { user, deletionDueAt } = await getProfile(ctx)
  if (deletionDueAt === null) {
    throw ownUserErrors.deletionNotScheduled()
  }
  const after = changed(ctx, user)
  const { id, version } = after
  return commit(ctx, {
    changes: [
      {
        statements: updateUserRow(ctx, user, { deletionDueAt: null }),
        events: [
          ownUserEvents.deletionUndone(
            { id, version },
            { before: { deletionDueAt }, after: { deletionDueAt: null } },
          ),
        ],
      },
    ],
    result: { user: after, deletionDueAt: null },
  })
}

export async function getStatistics(ctx: SignedIn): Promise<StatisticsRow> {
  const [[row]] = await read(ctx, ownStatistics(ctx))
  if (!row) {
    throw new Error('the session check let somebody pass who is not there')
  }
  return row
}

export async function findAvatar(ctx: SignedIn): Promise<AvatarRow & { fileName: string }> {
  const [[avatar]] = await read(ctx, ownAvatar(ctx))
  if (!avatar) {
    throw ownUserErrors.noAvatar()
  }
  return { ...avatar, fileName: PICTURES[avatar.contentType] ?? 'avatar' }
}

/** One's own picture is nothing that the log needs to tell of. */
export async function openAvatar(
  ctx: SignedIn,
  { objectKey }: AvatarRow,
  range: Range,
): Promise<ReadableStream<Uint8Array>> {
  const body = await readFile(ctx, objectKey, range)
  if (!body) {
    throw ownUserErrors.noAvatar()
  }
  return body
}

interface Upload {
  body: ReadableStream<Uint8Array>
  length: number | undefined
}

/** Stores the object, then the row that names it; the object that it names no more goes last. */
export async function setAvatar(ctx: SignedIn, { body, length }: Upload): Promise<AvatarRow> {
  const [[before]] = await read(ctx, ownAvatar(ctx))
  requireVersion(ctx, before?.version)
  const objectKey = `avatars/${freshId(ctx, 'ava')}`
  const sniffer = fileTypeSniffer('')
  const stored = await storeFile(ctx, objectKey, body, {
    maxBytes: MOST_AVATAR_BYTES,
    storageClass: 'Standard',
    length,
    watch: sniffer.take,
  })
  const contentType = sniffer.type()
  const after = {
    userId: ctx.caller.userId,
    objectKey,
    contentType,
    ...stored,
    version: (before?.version ?? 0) + 1,
    updatedAt: ctx.now,
  }
  try {
    if (!(contentType in PICTURES)) {
      throw ownUserErrors.noPicture()
    }
    await commit(ctx, {
      changes: [
        {
          statements: putAvatar(before, after),
          events: [ownUserEvents.avatarChanged({ id: after.userId }, { before, after })],
        },
      ],
      result: undefined,
    })
  } catch (error) {
    // If it is unknown whether the row was stored, the object stays, and is swept if it was not.
    const isCertain = error instanceof AppError && !['unavailable', 'internal'].includes(error.kind)
    await (isCertain ? deleteFiles(ctx, [objectKey]) : undefined)
    throw error
  }
  await (before ? deleteFiles(ctx, [before.objectKey]) : undefined)
  return after
}

export async function deleteAvatar(ctx: SignedIn): Promise<void> {
  const before = await findAvatar(ctx)
  requireVersion(ctx, before.version)
  await commit(ctx, {
    changes: [
      {
        statements: deleteAvatarRow(before),
        events: [ownUserEvents.avatarDeleted({ id: before.userId })],
      },
    ],
    result: undefined,
  })
  await deleteFiles(ctx, [before.objectKey])
}
