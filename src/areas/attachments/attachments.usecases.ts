import type { SignedIn } from '../../platform/context.ts'
import { commit, read, requireVersion } from '../../platform/database.ts'
import { cutPage, type Page, type PageRequest } from '../../platform/paging.ts'
import { attachmentErrors } from './attachments.errors.ts'
import {
  attachmentById,
  type AttachmentFilter,
  type AttachmentRow,
  countOfAttachments,
  deletedAttachmentById,
  pageOfAttachments,
  restoreStored,
  updateAttachment,
  type UsageRow,
  usageOf,
} from './attachments.queries.ts'

export async function findAttachments(
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
  if (!found) {
    throw attachmentErrors.notFound()
  }
  return found
}

/** A file that the caller may change. */
export async function findOwnAttachment(ctx: SignedIn, id: string): Promise<AttachmentRow> {
  const found = await findAttachment(ctx, id)
  if (found.isMine === 0) {
    throw attachmentErrors.notAllowed()
  }
  requireVersion(ctx, found.version)
  return found
}

/** What the log keeps of a file: not what it is attached to, which is told by who attached it. */
export const imageOf = ({ links: _links, isMine: _isMine, ...file }: AttachmentRow) => file

interface AttachmentChanges {
  fileName?: string | undefined
  title?: string | null | undefined
  note?: string | null | undefined
}

export async function changeAttachment(
  ctx: SignedIn,
  id: string,
  { fileName, title, note }: AttachmentChanges,
): Promise<AttachmentRow> {
  const before = await findOwnAttachment(ctx, id)
  const changed = {
    fileName: fileName ?? before.fileName,
    title: title === undefined ? before.title : title,
    note: note === undefined ? before.note : note,
  }
  const after = { ...before, ...changed, version: before.version + 1, updatedAt: ctx.now }
  return commit(ctx, {
    ...about('attachment.updated', before),
    changes: { before: imageOf(before), after: imageOf(after) },
    writes: updateAttachment(ctx, before, changed),
    result: after,
  })
}

/** Puts a file into the trash, from where it can be restored for 30 days. */
export async function removeAttachment(ctx: SignedIn, id: string): Promise<void> {
  const before = await findOwnAttachment(ctx, id)
  await commit(ctx, {
    ...about('attachment.deleted', before),
    changes: { before: imageOf(before) },
    writes: updateAttachment(ctx, before, { deletedAt: ctx.now }),
    result: undefined,
  })
}

/** Brings a file back that the caller uploaded, with what it is attached to. */
export async function restoreAttachment(ctx: SignedIn, id: string): Promise<AttachmentRow> {
  const [[before]] = await read(ctx, deletedAttachmentById(ctx, id))
  if (!before) {
    throw attachmentErrors.notFound()
  }
  return commit(ctx, {
    ...about('attachment.restored', before),
    changes: { after: imageOf(before) },
    writes: restoreStored(ctx, before),
    result: { ...before, version: before.version + 1, updatedAt: ctx.now },
  })
}

export const about = (action: string, { id, ownerId, groupId }: AttachmentRow) => ({
  action,
  resource: { type: 'attachment', id },
  ownerId,
  ...(groupId === null ? {} : { groupId }),
})

/** How much is kept where; what is about all accounts is not for a token that is for some. */
export async function findUsage(ctx: SignedIn): Promise<UsageRow[]> {
  const [usage] = await read(ctx, usageOf(ctx))
  if (ctx.caller.token?.accountIds) {
    throw attachmentErrors.tokenIsRestricted()
  }
  return usage
}
