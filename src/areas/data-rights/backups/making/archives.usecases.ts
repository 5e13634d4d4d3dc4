import { AppError } from '../../../../domain/errors.ts'
import { deleteFiles, type StoredFile } from '../../../../platform/files/bucket.ts'
import { type Context, freshId, type SignedIn } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import type { DomainEvent } from '../../../../platform/log/events.ts'
import type { Refusal } from '../../../../platform/database/refusals.ts'
import { profileFrom } from '../../../../platform/database/session.ts'
import type { Statement } from '../../../../platform/database/statements.ts'
import { readOrStop } from '../../../../platform/work/tasks.ts'
import { type ArchiveRow, archiveToMake, changeQueuedBackup } from '../backups.queries.ts'
import { lastChangeOf } from './making.queries.ts'

/** The archive that is being made. */
interface ArchiveThing {
  id: string
  ownerId: string
}

/** The functions that make archives of one kind. */
export interface ArchiveMaker<Manifest extends object> {
  kind: ArchiveRow['kind']
  notFound: Refusal
  begun: (archive: ArchiveThing) => DomainEvent
  made: (archive: ArchiveThing, manifest: Manifest) => DomainEvent
  /** Returns further statements for the commit of the archive. @param scheduleId of the schedule that had it made, if one did */
  follow?: (ctx: Context, archive: ArchiveThing, scheduleId: string | null) => Statement[]
  /** @param filter JSON of what was requested */
  store: (
    owner: SignedIn,
    objectKey: string,
    filter: string | null,
  ) => Promise<StoredFile & { manifest: Manifest }>
}

/**
 * Makes an archive in one run: whatever an earlier one left is deleted, and it is begun anew. Its key is stored
 * before anything is stored under it, so that whoever deletes the row knows the object.
 */
export async function makeArchive<Manifest extends object>(
  ctx: Context,
  id: string,
  finish: Statement[],
  { kind, notFound, begun, made, follow, store }: ArchiveMaker<Manifest>,
): Promise<void> {
  const [[archive]] = await readOrStop(ctx, archiveToMake(id, kind))
  if (!archive) {
    throw notFound()
  }
  await deleteFiles(ctx, archive.objectKey === null ? [] : [archive.objectKey])
  const objectKey = `archives/${freshId(ctx, 'obj')}`
  const thing = { id, ownerId: archive.user_id }
  await commit(ctx, {
    changes: [
      { statements: changeQueuedBackup(ctx, id, { objectKey }, notFound), events: [begun(thing)] },
    ],
    result: undefined,
  })
  const profile = profileFrom(archive)
  const owner = {
    ...ctx,
    caller: { userId: profile.id, sessionId: null, tokenHash: null, profile },
  }
  const { manifest, ...stored } = await store(owner, objectKey, archive.filter)
  const ready = {
    ...stored,
    state: 'ready' as const,
    manifest: JSON.stringify(manifest),
    finishedAt: ctx.ports.now(),
  }
  try {
    await commit(ctx, {
      changes: [
        {
          statements: [
            ...changeQueuedBackup(ctx, id, ready, notFound),
            ...(follow?.(ctx, thing, archive.scheduleId) ?? []),
            ...finish,
          ],
          events: [made(thing, manifest)],
        },
      ],
      result: undefined,
    })
  } catch (error) {
    // Refused for good: nobody else knows this object. After a fault nobody knows whether it was stored.
    if (error instanceof AppError && ['conflict', 'notFound'].includes(error.kind)) {
      await deleteFiles(ctx, [objectKey])
    }
    throw error
  }
}

const MOST_PASSES = 3

class Changed extends Error {}

/** One pass over the data. */
export interface DataPass {
  /** To be called once the data has been read: tells whether it changed, and ends the pass if there is another. */
  end: () => Promise<boolean>
}

/**
 * Reads all data once more while it changes, so that it is of one moment; three times at most.
 * @param ownerIds whose data is read
 */
export async function inOneState<Result>(
  owner: SignedIn,
  ownerIds: string[],
  read: (pass: DataPass) => Promise<Result>,
): Promise<Result> {
  for (let count = 1; ; count++) {
    const before = await changesOf(owner, ownerIds)
    const end = async () => {
      const isChanged = (await changesOf(owner, ownerIds)) !== before
      if (isChanged && count < MOST_PASSES) {
        throw new Changed()
      }
      return isChanged
    }
    try {
      return await read({ end })
    } catch (error) {
      if (!(error instanceof Changed)) {
        throw error
      }
    }
  }
}

async function changesOf(owner: SignedIn, ownerIds: string[]): Promise<string> {
  const found = await read(owner, ...ownerIds.map(lastChangeOf))
  return found.map(([last]) => last?.sequence).join()
}
