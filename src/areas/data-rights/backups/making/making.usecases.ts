import { toInstant } from '../../../../domain/calendar.ts'
import { jsonLine } from '../../../../domain/text.ts'
import { readFile, storePieces } from '../../../../platform/files/bucket.ts'
import type { Context, SignedIn } from '../../../../platform/context.ts'
import { sha256Hex, macText, sameText } from '../../../../platform/secrets/crypto.ts'
import { read } from '../../../../platform/database/database.ts'
import type { ExportedFile } from '../../../../platform/owned-data/exports.ts'
import { archivedTables, ownedData } from '../../../../platform/owned-data/owned-data.ts'
import type { Statement } from '../../../../platform/database/statements.ts'
import { readOrStop } from '../../../../platform/work/tasks.ts'
import { type Member, type Packed, zip } from '../../../../platform/files/zip.ts'
import { archivedRow } from '../../../../platform/owned-data/archived-rows.ts'
import {
  type ArchivedRow,
  type ArchivedTable,
  cutArchived,
  pageOfArchived,
  shapeOf,
} from '../../../../platform/owned-data/archived-tables.ts'
import type { Position } from '../../../../platform/database/paging.ts'
import { backupErrors } from '../backups.errors.ts'
import { backupEvents } from '../backups.events.ts'
import {
  FORMAT,
  FORMAT_VERSION,
  linesToHash,
  MANIFEST,
  type Manifest,
  MOST_ARCHIVE_BYTES,
  MOST_ARCHIVE_FILES,
  README,
} from '../backups.rules.ts'
import { archiveMemberOf } from '../verifying/rows.usecases.ts'
import { inOneState, makeArchive, type DataPass } from './archives.usecases.ts'

/** Makes the archive of all that a user owns. */
export const makeBackup = (ctx: Context, id: string, finish: Statement[]): Promise<void> =>
  makeArchive<Manifest>(ctx, id, finish, {
    kind: 'backup',
    notFound: backupErrors.notFound,
    begun: backupEvents.begun,
    made: (backup, { counts }) => backupEvents.made(backup, { counts }),
    store: storeUnchanged,
  })

const storeUnchanged = (owner: SignedIn, objectKey: string) =>
  inOneState(owner, [owner.caller.userId], async (pass) => {
    const manifest: Manifest = {
      format: FORMAT,
      formatVersion: FORMAT_VERSION,
      createdAt: toInstant(owner.ports.now()),
      userId: owner.caller.userId,
      changedMeanwhile: false,
      counts: {},
      files: [],
      missing: [],
      contentHash: '',
      seal: '',
    }
    return { ...(await store(owner, objectKey, manifest, pass)), manifest }
  })

async function store(owner: SignedIn, key: string, manifest: Manifest, pass: DataPass) {
  const packed = ({ name, ...rest }: Packed) => {
    if (name !== MANIFEST) {
      manifest.files.push({ path: name, ...rest })
    }
  }
  const bytes = zip(membersOf(owner, manifest, pass), owner.now, packed)
  return storePieces(owner, key, bytes, { maxBytes: MOST_ARCHIVE_BYTES, storageClass: 'Standard' })
}

async function* membersOf(
  owner: SignedIn,
  manifest: Manifest,
  pass: DataPass,
): AsyncGenerator<Member> {
  const files: ExportedFile[] = []
  const noted = (file: ExportedFile) => {
    files.push(file)
    if (files.length > MOST_ARCHIVE_FILES) {
      throw backupErrors.tooManyFiles()
    }
  }
  // Referenced rows come before the rows that refer to them.
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
  for (const archived of archivedTables()) {
    const name = archiveMemberOf(archived)
    const counted = name.replace(/\.ndjson$/, '')
    manifest.counts[counted] = 0
    const body = lines(rowPages(owner, archived), (count) => {
      manifest.counts[counted] = (manifest.counts[counted] ?? 0) + count
    })
    yield { name, body }
  }
  for (const { path, text } of ownedData().flatMap(({ readable = [] }) => readable)) {
    yield { name: path, body: encoded(text(owner)) }
  }
  manifest.changedMeanwhile = await pass.end()
  yield* filesOf(owner, manifest, files)
  yield { name: 'README.txt', body: once(README) }
  manifest.contentHash = sha256Hex(linesToHash(manifest.files))
  manifest.seal = archiveSeal(owner, owner.caller.userId, manifest.contentHash)
  yield { name: MANIFEST, body: once(JSON.stringify(manifest, null, 2)) }
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

async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) {
    yield* once(text)
  }
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
}

/**
 * Proves to the service that it made the data with this hash for this user. Nobody else can make it, so the ids in such an archive
 * were the user's.
 */
const archiveSeal = ({ settings }: Context, userId: string, contentHash: string): string =>
  macText(settings.appSecret, 'archive-seal', `${userId} ${contentHash}`)

/** Tells whether this service made an archive for this user, and nobody has changed its data since. */
export const isSealed = (
  ctx: Context,
  userId: string,
  { contentHash, seal }: { contentHash: string; seal: string | undefined },
): boolean => seal !== undefined && sameText(seal, archiveSeal(ctx, userId, contentHash))

/** The rows of a table that are the caller's, as an archive has them. A task that was asked to stop ends between two pages. */
export async function* rowPages(
  owner: SignedIn,
  archived: ArchivedTable,
): AsyncGenerator<ArchivedRow[]> {
  const { userId } = owner.caller
  const shape = shapeOf(archived)
  let after: Position | undefined
  do {
    const [found] = await readOrStop(owner, pageOfArchived(archived, userId, after))
    const { rows, next } = cutArchived(archived, found)
    yield rows.map((row) => archivedRow(shape, row, userId))
    after = next ?? undefined
  } while (after)
}
