import { toInstant } from '../../../../domain/calendar.ts'
import { AppError } from '../../../../domain/errors.ts'
import { jsonLine } from '../../../../domain/text.ts'
import { deleteFiles, readFile, storePieces } from '../../../../platform/bucket.ts'
import { type Context, freshId, type SignedIn } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database.ts'
import type { ExportedFile } from '../../../../platform/exports.ts'
import { ownedData } from '../../../../platform/owned-data.ts'
import { profileFrom } from '../../../../platform/session.ts'
import type { Statement } from '../../../../platform/statements.ts'
import { readOrStop } from '../../../../platform/tasks.ts'
import { type Member, type Packed, zip } from '../../../../platform/zip.ts'
import { backupErrors } from '../backups.errors.ts'
import { backupEvents } from '../backups.events.ts'
import { archiveToMake, changeQueued } from '../backups.queries.ts'
import { FORMAT, FORMAT_VERSION, type Manifest, MOST_BYTES, MOST_FILES } from '../backups.rules.ts'
import { lastChangeOf } from './making.queries.ts'

/**
 * Makes an archive in one run: whatever an earlier one left is deleted, and it is begun anew. Its key is stored
 * before anything is stored under it, so that whoever deletes the row knows the object.
 */
export async function makeBackup(ctx: Context, id: string, finish: Statement[]): Promise<void> {
  const [[archive]] = await readOrStop(ctx, archiveToMake(id))
  if (!archive) {
    throw backupErrors.notFound()
  }
  await deleteFiles(ctx, archive.objectKey === null ? [] : [archive.objectKey])
  const objectKey = `archives/${freshId(ctx, 'obj')}`
  const backup = { id, ownerId: archive.user_id }
  await commit(ctx, {
    changes: [
      {
        statements: changeQueued(ctx, id, { objectKey }),
        events: [backupEvents.begun(backup)],
      },
    ],
    result: undefined,
  })
  const profile = profileFrom(archive)
  const owner = {
    ...ctx,
    caller: { userId: profile.id, sessionId: null, tokenHash: null, profile },
  }
  const { manifest, ...stored } = await storeUnchanged(owner, objectKey)
  try {
    await commit(ctx, {
      changes: [
        {
          statements: [
            ...changeQueued(ctx, id, {
              ...stored,
              state: 'ready',
              manifest: JSON.stringify(manifest),
              finishedAt: ctx.now,
            }),
            ...finish,
          ],
          events: [backupEvents.made(backup, { counts: manifest.counts })],
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

interface ArchiveFile {
  size: number
  sha256: string
  manifest: Manifest
}

const MANIFEST = 'manifest.json'
const MOST_PASSES = 3

class Changed extends Error {}

/** Reads all rows once more while one of the user's changes, so that they are of one moment; three times at most. */
async function storeUnchanged(owner: SignedIn, objectKey: string): Promise<ArchiveFile> {
  for (let pass = 1; ; pass++) {
    const manifest: Manifest = {
      format: FORMAT,
      formatVersion: FORMAT_VERSION,
      createdAt: toInstant(owner.ports.now()),
      userId: owner.caller.userId,
      changedMeanwhile: false,
      counts: {},
      files: [],
      missing: [],
    }
    try {
      return { ...(await store(owner, objectKey, manifest, pass === MOST_PASSES)), manifest }
    } catch (error) {
      if (!(error instanceof Changed)) {
        throw error
      }
    }
  }
}

async function store(owner: SignedIn, key: string, manifest: Manifest, isLast: boolean) {
  const packed = ({ name, ...rest }: Packed) => {
    if (name !== MANIFEST) {
      manifest.files.push({ path: name, ...rest })
    }
  }
  const bytes = zip(membersOf(owner, manifest, isLast), owner.now, packed)
  return storePieces(owner, key, bytes, { maxBytes: MOST_BYTES, storageClass: 'Standard' })
}

async function* membersOf(
  owner: SignedIn,
  manifest: Manifest,
  isLast: boolean,
): AsyncGenerator<Member> {
  const files: ExportedFile[] = []
  const noted = (file: ExportedFile) => {
    files.push(file)
    if (files.length > MOST_FILES) {
      throw backupErrors.tooManyFiles()
    }
  }
  const before = await changesOf(owner)
  // What other rows refer to comes before them.
  const contents = ownedData()
    .toReversed()
    .flatMap(({ exports = [] }) => exports)
  for (const { name, pages } of contents) {
    manifest.counts[name] = 0
    const body = lines(pages(owner, noted), (count) => {
      manifest.counts[name] = (manifest.counts[name] ?? 0) + count
    })
    yield { name: `${name}.ndjson`, body }
  }
  manifest.changedMeanwhile = (await changesOf(owner)) !== before
  if (manifest.changedMeanwhile && !isLast) {
    throw new Changed()
  }
  yield* filesOf(owner, manifest, files)
  yield { name: MANIFEST, body: once(JSON.stringify(manifest, null, 2)) }
}

async function changesOf(owner: SignedIn): Promise<number | undefined> {
  const [[last]] = await read(owner, lastChangeOf(owner.caller.userId))
  return last?.sequence
}

async function* filesOf(
  owner: SignedIn,
  manifest: Manifest,
  noted: ExportedFile[],
): AsyncGenerator<Member> {
  const finders = ownedData().flatMap(({ files }) => files?.(owner.caller.userId) ?? [])
  const found = await read(owner, ...finders)
  for (const { path, objectKey } of [...found.flat(), ...noted]) {
    await readOrStop(owner)
    const body = await readFile(owner, objectKey)
    if (body) {
      yield { name: path, body }
    } else {
      manifest.missing.push(path)
    }
  }
}

async function* lines(
  pages: AsyncIterable<object[]>,
  counted: (rows: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const rows of pages) {
    counted(rows.length)
    yield* once(rows.map(jsonLine).join(''))
  }
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
}
