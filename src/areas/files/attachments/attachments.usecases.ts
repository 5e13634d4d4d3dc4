import type { SignedIn } from '../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../platform/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/paging.ts'
import { attachmentErrors } from './attachments.errors.ts'
import { attachmentEvents, fileOf, snapshotOf, toldToOwners } from './attachments.events.ts'
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
            { before: snapshotOf(before) },
          ),
          ...toldToOwners('unlinked', before, links),
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
          attachmentEvents.restored({ ...fileOf(before), version }, { after: snapshotOf(before) }),
          ...toldToOwners('linked', before, links),
        ],
      },
    ],
    result: { ...before, version, updatedAt: ctx.now },
  })
}

/** How much is kept where; what is about all accounts is not for a token that is for some. */
export async function getAttachmentUsage(ctx: SignedIn): Promise<UsageRow[]> {
  const [usage] = await read(ctx, usageOf(ctx))
  if (ctx.caller.token?.accountIds) {
    throw attachmentErrors.tokenIsRestricted()
  }
  return usage
}
