import { AppError } from '../../../../domain/errors.ts'
import { fileTypeSniffer } from '../../../../domain/file-types.ts'
import { deleteFiles, type Range, readFile, storeFile } from '../../../../platform/bucket.ts'
import { freshId, type SignedIn } from '../../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../../platform/database.ts'
import { ownUserErrors } from '../own-user.errors.ts'
import { ownUserEvents } from '../own-user.events.ts'
import { type AvatarRow, deleteAvatarRow, ownAvatar, putAvatar } from './avatar.queries.ts'
import { MOST_BYTES, PICTURES } from './avatar.rules.ts'

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
    maxBytes: MOST_BYTES,
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
    // Where nobody knows whether the row was stored the object stays, and is swept if it was not.
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
