import { fileTypeSniffer } from '../../../domain/file-types.ts'
import {
  deleteFiles,
  type StoredFile,
  storeFile,
  storePieces,
} from '../../../platform/files/bucket.ts'
import { freshId, type SignedIn } from '../../../platform/context.ts'
import { commit, read } from '../../../platform/database/database.ts'
import { isCertain } from '../../../platform/database/refusals.ts'
import type { ArchivedRow } from '../../../platform/owned-data/archived-tables.ts'
import {
  isAtLeast,
  type MembershipErrors,
  membershipIn,
  mustBeIn,
} from '../../identity/memberships/memberships.public.ts'
import { attachmentErrors } from './attachments.errors.ts'
import { attachmentEvents, fileOf, openlyOn, eventsForOwner } from './attachments.events.ts'
import { type AttachmentRow, insertAttachment } from './attachments.queries.ts'
import type { AttachmentLinkKind } from './attachments.rules.ts'
import {
  insertAttachmentLink,
  MAY_ATTACH,
  mustAttachTo,
  type SeenTarget,
  type LinkTarget,
  seenTarget,
} from './links/links.queries.ts'
import { namedKeys } from './sweeping/sweeping.queries.ts'
import { mustBeWithinQuota, type StoragePlace, placeFor } from './upload.queries.ts'

/** A file as it comes. */
interface Upload {
  body: ReadableStream<Uint8Array>
  length: number | undefined
}

interface UploadInput {
  fileName: string
  title?: string | undefined
  note?: string | undefined
  groupId?: string | undefined
  linkKind?: AttachmentLinkKind | undefined
  linkId?: string | undefined
}

/**
 * Stores the object, and then the row that names it. An Idempotency-Key stands for the bytes, too, which are known only
 * once they have come: so the answer that is kept for it is looked for by the commit, not before.
 */
export async function createAttachment(
  ctx: SignedIn,
  upload: Upload,
  uploadInput: UploadInput,
): Promise<AttachmentRow> {
  const { repeatable } = ctx
  delete ctx.repeatable
  const { place, target } = await findPlace(ctx, uploadInput)
  // A repeated request may itself have used the room before, so its quota is checked later.
  if (!repeatable && place.usedBytes + (upload.length ?? 0) > (place.quotaBytes ?? Infinity)) {
    throw attachmentErrors.quota()
  }
  const id = freshId(ctx, 'att')
  const objectKey = `${place.prefix}${id}`
  const stored = await store(ctx, objectKey, upload, uploadInput.fileName, place)
  if (repeatable) {
    ctx.repeatable = { ...repeatable, body: `${repeatable.body}\n${stored.sha256}` }
  }
  try {
    return await record(ctx, { id, objectKey, ...stored }, uploadInput, place, target)
  } catch (error) {
    await (isCertain(error) ? deleteUnlessNamed(ctx, objectKey) : undefined)
    throw error
  }
}

/**
 * Deletes an object unless a row names it. A request that keeps its answer may be repeated; then the row of the first
 * attempt may have stopped the second.
 */
async function deleteUnlessNamed(
  { repeatable: _, ...ctx }: SignedIn,
  objectKey: string,
): Promise<void> {
  const [named] = await read(ctx, namedKeys([objectKey]))
  await (named.length === 0 ? deleteFiles(ctx, [objectKey]) : undefined)
}

const unknownTarget = () => attachmentErrors.unknownTarget({ field: 'linkId' })
const unknownGroup = () => attachmentErrors.unknownGroup({ field: 'groupId' })

const membershipErrors: MembershipErrors = {
  notIn: unknownGroup,
  roleTooLow: attachmentErrors.groupNotAllowed,
  suspended: unknownGroup,
}

async function findPlace(ctx: SignedIn, { groupId, linkKind, linkId }: UploadInput) {
  const named = linkKind && linkId !== undefined ? { kind: linkKind, id: linkId } : undefined
  const [[place], [target], [membership]] = await read(
    ctx,
    placeFor(ctx, groupId, named),
    seenTarget(ctx, named),
    membershipIn(ctx, groupId ?? ''),
  )
  if (named && !target) {
    throw unknownTarget()
  }
  if (target && target.rank < MAY_ATTACH) {
    throw attachmentErrors.targetNotAllowed()
  }
  if (groupId !== undefined && (!membership || membership.suspendedAt !== null)) {
    throw unknownGroup()
  }
  if (membership && !isAtLeast(membership.role, 'member')) {
    throw attachmentErrors.groupNotAllowed()
  }
  if (ctx.caller.token?.accountIds && !target) {
    throw attachmentErrors.tokenIsRestricted()
  }
  if (!place) {
    throw attachmentErrors.noStorageClass()
  }
  return { place, target: named && target && { ...target, ...named } }
}

async function store(
  ctx: SignedIn,
  key: string,
  { body, length }: Upload,
  fileName: string,
  { maxObjectBytes, r2StorageClass, allowedTypes }: StoragePlace,
): Promise<StoredFile & { contentType: string }> {
  if (length === 0) {
    throw attachmentErrors.empty()
  }
  const sniffer = fileTypeSniffer(fileName)
  const stored = await storeFile(ctx, key, body, {
    maxBytes: maxObjectBytes,
    storageClass: r2StorageClass,
    length,
    watch: sniffer.take,
  })
  const contentType = sniffer.type()
  const isAllowed = (JSON.parse(allowedTypes) as string[]).includes(contentType)
  if (stored.size === 0 || !isAllowed) {
    await deleteFiles(ctx, [key])
    throw stored.size === 0 ? attachmentErrors.empty() : attachmentErrors.typeNotAllowed()
  }
  return { ...stored, contentType }
}

type Stored = StoredFile & { id: string; objectKey: string; contentType: string }

async function record(
  ctx: SignedIn,
  stored: Stored,
  { fileName, title, note, groupId }: UploadInput,
  place: StoragePlace,
  target: (SeenTarget & LinkTarget) | undefined,
): Promise<AttachmentRow> {
  const row = {
    ...stored,
    ownerId: ctx.caller.userId,
    groupId: groupId ?? null,
    storageClassId: place.id,
    fileName,
    title: title ?? null,
    note: note ?? null,
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    deletedAt: null,
  }
  const linkId = freshId(ctx, 'lnk')
  const link = target && { linkId, kind: target.kind, id: target.id }
  const { deletedAt: _deletedAt, ...shown } = row
  return commit(ctx, {
    changes: [
      {
        statements: [
          ...(groupId === undefined ? [] : [mustBeIn(ctx, groupId, 'member', membershipErrors)]),
          ...(target ? [mustAttachTo(ctx, target, unknownTarget)] : []),
          insertAttachment(row),
          ...(target
            ? insertAttachmentLink({
                id: linkId,
                attachmentId: row.id,
                kind: target.kind,
                targetId: target.targetId,
                ownerId: target.ownerId,
                createdBy: ctx.caller.userId,
                createdAt: ctx.now,
              })
            : []),
          mustBeWithinQuota(place.id, [ctx.caller.userId, ...(groupId ? [groupId] : [])]),
        ],
        events: [
          attachmentEvents.created(
            { ...fileOf(row), version: row.version, ...openlyOn(target) },
            { after: row, ...(link ? { link } : {}) },
          ),
          ...(link && target ? eventsForOwner('linked', row, target, { link }) : []),
        ],
      },
    ],
    result: { ...shown, isMine: 1, links: JSON.stringify(link ? [{ ...link, line: null }] : []) },
  })
}

/**
 * Stores a file of an archive, where a new file of the owner would go; gives the columns that no archive has. Without bytes, which
 * the archive did not have either, the row names an object that is not there. The key is new each time, so no archive can aim at
 * an object that a row names. What no row names in the end, as its commit failed or did not come, is swept at night.
 */
export async function storeArchivedFile(
  owner: SignedIn,
  row: ArchivedRow,
  bytes: AsyncIterable<Uint8Array> | undefined,
): Promise<ArchivedRow> {
  const [[place]] = await read(owner, placeFor(owner, undefined, undefined))
  if (!place) {
    throw attachmentErrors.noStorageClass()
  }
  const columns = {
    storage_class_id: place.id,
    object_key: `${place.prefix}${freshId(owner, 'att')}`,
  }
  if (bytes === undefined) {
    return columns
  }
  if (place.usedBytes + Number(row['size']) > (place.quotaBytes ?? Infinity)) {
    throw attachmentErrors.quota()
  }
  const sniffer = fileTypeSniffer(String(row['file_name']))
  await storePieces(owner, columns.object_key, bytes, {
    maxBytes: place.maxObjectBytes,
    storageClass: place.r2StorageClass,
    watch: sniffer.take,
  })
  const contentType = sniffer.type()
  if (contentType !== row['content_type'] || !allowedIn(place.allowedTypes).includes(contentType)) {
    throw attachmentErrors.typeNotAllowed()
  }
  return columns
}

const allowedIn = (json: string) => JSON.parse(json) as string[]
