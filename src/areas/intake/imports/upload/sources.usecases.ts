import { bankFileErrors } from '../../../../domain/bank-files/format.ts'
import {
  deleteFiles,
  readFile,
  type StoredFile,
  storeFile,
} from '../../../../platform/files/bucket.ts'
import { profileOf, type SignedIn, freshId } from '../../../../platform/context.ts'
import { pauseRegularly, runWithPauses } from '../../../../platform/work/pauses.ts'
import { forbidden } from '../../../../platform/database/refusals.ts'
import type { SchemeOfAccount } from '../../../../domain/imports/trust.ts'
import type { AttachmentRow } from '../../../files/attachments/attachments.public.ts'
import { type AccountView, visibleAccounts } from '../../../money/accounts/accounts.public.ts'
import { anyPayee } from '../../../money/payees/payees.public.ts'
import { importErrors } from '../imports.errors.ts'
import { MOST_IMPORT_BYTES, READ_AT_ONCE, mappingFrom } from '../imports.rules.ts'
import type { SourceFile, Wishes } from '../reading/survey.usecases.ts'
import { untrustedSchemes } from '../candidates.queries.ts'
import { type HabitRow, habitsOf } from '../imports.queries.ts'
import { profilesOf } from '../profiles/profiles.queries.ts'
import { busyFor, type Habit } from '../reading/outcomes.rules.ts'
import { isArchive, partsInMemory, unpack, type Unpacked } from './archives.usecases.ts'
import { type Bytes, byteWatcher } from './bytes.rules.ts'

/** A file as it comes. */
export interface SourceUpload {
  body: ReadableStream<Uint8Array>
  length: number | undefined
}

export interface StoredSource extends StoredFile, Bytes {
  /** All of it, where it is small. */
  whole: Uint8Array | undefined
}

/** The file that a request brings, or the attachment that it names. */
export async function uploadFrom(
  ctx: SignedIn,
  upload: SourceUpload,
  attachmentId: string | undefined,
  attached: Pick<AttachmentRow, 'objectKey' | 'size'> | undefined,
): Promise<SourceUpload> {
  if (attachmentId === undefined) {
    return upload
  }
  if (!profileOf(ctx).permissions.includes('attachments.read')) {
    throw forbidden('attachments.read')
  }
  if (!(await isEmpty(upload))) {
    throw importErrors.attachmentAndBody({ field: 'attachmentId' })
  }
  const body = attached && (await readFile(ctx, attached.objectKey))
  if (!attached || !body) {
    throw importErrors.attachmentNotFound({ field: 'attachmentId' })
  }
  return { body, length: attached.size }
}

async function isEmpty({ body, length }: SourceUpload): Promise<boolean> {
  if (length !== undefined) {
    return length === 0
  }
  const reader = body.getReader()
  const { done } = await reader.read()
  await reader.cancel()
  return done
}

/** Stores the bytes of a file, and looks at them on the way. */
export async function storeSource(
  ctx: SignedIn,
  key: string,
  { body, length }: SourceUpload,
): Promise<StoredSource> {
  if (length === 0) {
    throw bankFileErrors.empty()
  }
  const watcher = byteWatcher()
  const pieces: Uint8Array[] = []
  let held = 0
  const stored = await storeFile(ctx, key, body, {
    maxBytes: MOST_IMPORT_BYTES,
    storageClass: 'Standard',
    length,
    watch: (piece) => {
      watcher.take(piece)
      held += piece.byteLength
      if (held <= READ_AT_ONCE.bytes) {
        pieces.push(piece.slice())
      }
    },
  })
  if (stored.size === 0) {
    await deleteFiles(ctx, [key])
    throw bankFileErrors.empty()
  }
  const isSmall = stored.size <= READ_AT_ONCE.bytes
  const bytes = await runWithPauses(watcher.end(), pauseRegularly())
  return { ...stored, ...bytes, whole: isSmall ? Buffer.concat(pieces) : undefined }
}

/** A small file as it is read: of an archive what it holds, unless that is large. */
export async function fileIn(whole: Uint8Array, bytes: Bytes): Promise<SourceFile | undefined> {
  if (!isArchive(whole)) {
    return {
      ...bytes,
      open: async function* () {
        yield whole
      },
    }
  }
  const unpacked = await unpack(partsInMemory(whole), whole.byteLength)
  return unpacked.size > READ_AT_ONCE.bytes ? undefined : watched(unpacked)
}

/** Looks at all bytes of what an archive holds. */
export async function watched({ open, leftOut = [] }: Unpacked): Promise<SourceFile> {
  const watcher = byteWatcher()
  const pause = pauseRegularly()
  let size = 0
  for await (const piece of open()) {
    watcher.take(piece)
    size += piece.byteLength
    await pause()
  }
  if (size === 0) {
    throw bankFileErrors.empty()
  }
  return { ...(await runWithPauses(watcher.end(), pause)), open, leftOut }
}

/** The owner's data that reading a file depends on. */
export interface Surroundings {
  views: AccountView[]
  profiles: Wishes['profiles']
  untrusted: SchemeOfAccount[]
  /** True if texts may mean payees. */
  hasPayees: boolean
  /** The readings of earlier files. */
  habits: Habit[]
}

export const surroundings = (ctx: SignedIn) =>
  [
    visibleAccounts(ctx),
    profilesOf(ctx),
    untrustedSchemes(ctx),
    anyPayee(ctx),
    habitsOf(ctx),
  ] as const

/** @param found by `surroundings` */
export const surroundingsFrom = (
  ...[views, profiles, untrusted, payees, habits]: [
    views: AccountView[],
    profiles: Wishes['profiles'],
    untrusted: SchemeOfAccount[],
    payees: object[],
    habits: HabitRow[],
  ]
): Surroundings => ({
  ...{ views, profiles, untrusted, hasPayees: payees.length > 0 },
  habits: habits.map(({ accountId, ...mapping }) => ({
    accountId,
    mapping: mappingFrom(mapping),
  })),
})

/** Returns the other inputs of a reading, beside the file and stored data. */
export const makingIn = (ctx: SignedIn) => ({
  newId: () => freshId(ctx, 'acc'),
  baseCurrency: profileOf(ctx).baseCurrency,
  locale: profileOf(ctx).locale,
  busy: busyFor(pauseRegularly(), ctx.ports.now),
})
