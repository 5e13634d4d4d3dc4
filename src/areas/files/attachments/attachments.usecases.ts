import type { SignedIn, Context } from '../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../platform/database/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/database/paging.ts'
import { AppError } from '../../../domain/errors.ts'
import type { Range } from '../../../platform/files/bucket.ts'
import { fromBase64Url, macText, sameText, toBase64Url } from '../../../platform/secrets/crypto.ts'
import { download } from '../../../platform/files/downloads.ts'
import { pageFinders, readOn } from '../../../platform/log/log-reading.ts'
import { attachmentErrors } from './attachments.errors.ts'
import { attachmentEvents, fileOf, fileSnapshot, eventsForOwners } from './attachments.events.ts'
import {
  attachmentById,
  type AttachmentFilter,
  type AttachmentRow,
  countOfAttachments,
  deletedAttachmentById,
  linksToOthers,
  pageOfAttachments,
  restoreStored,
  updateAttachmentRow,
  type UsageRow,
  usageOf,
} from './attachments.queries.ts'
import { downloadList, type DownloadRow } from './downloads.queries.ts'
import type { SignedLink } from './attachments.rules.ts'

export async function listAttachments(
  ctx: SignedIn,
  filter: AttachmentFilter,
  page: PageRequest,
): Promise<Page<AttachmentRow>> {
  const [found, [total]] = await read(
    ctx,
    pageOfAttachments(ctx, filter, page),
    countOfAttachments(ctx, filter),
  )
  return { ...cutPage(found, page, ({ id }) => [id]), count: total?.count ?? 0 }
}

export async function findAttachment(ctx: SignedIn, id: string): Promise<AttachmentRow> {
  const [[found]] = await read(ctx, attachmentById(ctx, id))
  return existing(found)
}

function existing(found: AttachmentRow | undefined): AttachmentRow {
  if (!found) {
    throw attachmentErrors.notFound()
  }
  return found
}

/** Refuses a file that the caller may not change. */
function requireOwn(ctx: SignedIn, found: AttachmentRow): AttachmentRow {
  if (found.isMine === 0) {
    throw attachmentErrors.notAllowed()
  }
  requireVersion(ctx, found.version)
  return found
}

interface AttachmentChanges {
  fileName?: string | undefined
  title?: string | null | undefined
  note?: string | null | undefined
}

export async function updateAttachment(
  ctx: SignedIn,
  id: string,
  { fileName, title, note }: AttachmentChanges,
): Promise<AttachmentRow> {
  const before = requireOwn(ctx, await findAttachment(ctx, id))
  const changed = {
    fileName: fileName ?? before.fileName,
    title: title === undefined ? before.title : title,
    note: note === undefined ? before.note : note,
  }
  const after = { ...before, ...changed, version: before.version + 1, updatedAt: ctx.now }
  return commit(ctx, {
    changes: [
      {
        statements: updateAttachmentRow(ctx, before, changed),
        events: [
          attachmentEvents.updated(
            { ...fileOf(before), version: after.version },
            { before, after },
          ),
        ],
      },
    ],
    result: after,
  })
}

/** Puts a file into the trash, from where it can be restored for 30 days. */
export async function deleteAttachment(ctx: SignedIn, id: string): Promise<void> {
  const [[found], links] = await read(ctx, attachmentById(ctx, id), linksToOthers(id))
  const before = requireOwn(ctx, existing(found))
  await commit(ctx, {
    changes: [
      {
        statements: updateAttachmentRow(ctx, before, { deletedAt: ctx.now }),
        events: [
          attachmentEvents.deleted(
            { ...fileOf(before), version: before.version + 1 },
            { before: fileSnapshot(before) },
          ),
          ...eventsForOwners('unlinked', before, links),
        ],
      },
    ],
    result: undefined,
  })
}

/** Brings a file back that the caller uploaded, with what it is attached to. */
export async function restoreAttachment(ctx: SignedIn, id: string): Promise<AttachmentRow> {
  const [[found], links] = await read(ctx, deletedAttachmentById(ctx, id), linksToOthers(id))
  const before = existing(found)
  const version = before.version + 1
  return commit(ctx, {
    changes: [
      {
        statements: restoreStored(ctx, before),
        events: [
          attachmentEvents.restored(
            { ...fileOf(before), version },
            { after: fileSnapshot(before) },
          ),
          ...eventsForOwners('linked', before, links),
        ],
      },
    ],
    result: { ...before, version, updatedAt: ctx.now },
  })
}

/** Returns the usage of each storage class. It concerns all accounts, so a token that is restricted to some may not read it. */
export async function getAttachmentUsage(ctx: SignedIn): Promise<UsageRow[]> {
  const [usage] = await read(ctx, usageOf(ctx))
  if (ctx.caller.token?.accountIds) {
    throw attachmentErrors.tokenIsRestricted()
  }
  return usage
}

export async function openAttachment(
  ctx: SignedIn,
  { id, ownerId, groupId, objectKey, size }: AttachmentRow,
  range: Range,
): Promise<ReadableStream<Uint8Array>> {
  const inGroup = groupId === null ? {} : { groupId }
  const file = { kind: 'attachment' as const, id, ownerId, ...inGroup, objectKey, size }
  const body = await download(ctx, file, range)
  if (!body) {
    throw attachmentErrors.notFound()
  }
  return body
}

export interface DownloadLink {
  token: string
  expiresAt: number
}

/** A link to a file that needs nobody to sign in. */
export async function createDownloadLink(
  ctx: SignedIn,
  id: string,
  minutes: number,
): Promise<DownloadLink> {
  const file = await findAttachment(ctx, id)
  const { userId, sessionId, tokenHash } = ctx.caller
  const expiresAt = ctx.now + minutes * 60_000
  const link: SignedLink = { attachmentId: id, userId, sessionId, tokenHash, expiresAt }
  const payload = toBase64Url(new TextEncoder().encode(JSON.stringify(link)))
  const token = `${payload}.${sign(ctx, payload)}`
  return commit(ctx, {
    changes: [{ statements: [], events: [attachmentEvents.linkMade(fileOf(file), { expiresAt })] }],
    result: { token, expiresAt },
  })
}

const sign = (ctx: Context, payload: string) =>
  macText(ctx.settings.appSecret, 'download-link', payload)

/**
 * The file that a link leads to, for whoever it was made for: who lost the file, or was signed out, lost the link.
 * @returns with the context in which the file is seen
 */
export async function followLink(
  ctx: Context,
  token: string,
): Promise<AttachmentRow & { ctx: SignedIn }> {
  const [payload = '', signature = ''] = token.split('.')
  if (!sameText(signature, sign(ctx, payload))) {
    throw attachmentErrors.linkInvalid()
  }
  const link = JSON.parse(new TextDecoder().decode(fromBase64Url(payload))) as SignedLink
  if (link.expiresAt <= ctx.now) {
    throw attachmentErrors.linkInvalid()
  }
  const { userId, sessionId, tokenHash } = link
  const issuer: SignedIn = {
    ...ctx,
    access: 'attachments.read',
    caller: { userId, sessionId, tokenHash },
  }
  try {
    return { ...(await findAttachment(issuer, link.attachmentId)), ctx: issuer }
  } catch (error) {
    throw error instanceof AppError && LOST.includes(error.kind)
      ? attachmentErrors.linkInvalid()
      : error
  }
}

/** Errors of the issuer that the bearer of a link should not learn. */
const LOST = ['unauthenticated', 'forbidden', 'notFound']

export async function listDownloads(ctx: SignedIn, page: PageRequest): Promise<Page<DownloadRow>> {
  const list = downloadList(ctx)
  const found = await read(ctx, ...pageFinders(list, page))
  if (ctx.caller.token?.accountIds) {
    throw attachmentErrors.tokenIsRestricted()
  }
  return readOn(ctx, list, page, found)
}
