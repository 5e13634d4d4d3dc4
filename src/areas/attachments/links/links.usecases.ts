import { freshId, type SignedIn } from '../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../platform/database.ts'
import { attachmentErrors } from '../attachments.errors.ts'
import {
  attachmentById,
  type AttachmentRow,
  linksOf,
  mustStillBeMine,
} from '../attachments.queries.ts'
import { about } from '../attachments.usecases.ts'
import {
  deleteLink,
  insertLink,
  linkById,
  MAY_ATTACH,
  MAY_TAKE_OFF,
  mustAttachTo,
  mustTakeOff,
  type Target,
  targetOf,
} from './links.queries.ts'

/**
 * Attaches a file to something. Whoever sees that sees the file from then on, whatever else they lose, so only the
 * uploader can do it: an administrator of the file's group would keep the file beyond the group.
 */
export async function linkAttachment(
  ctx: SignedIn,
  id: string,
  wanted: Target,
): Promise<AttachmentRow> {
  const [[file], [target]] = await read(ctx, attachmentById(ctx, id), targetOf(ctx, wanted))
  if (!file) {
    throw attachmentErrors.notFound()
  }
  if (file.ownerId !== ctx.caller.userId) {
    throw attachmentErrors.uploaderOnly()
  }
  const unknownTarget = () => attachmentErrors.unknownTarget({ field: 'id' })
  if (!target) {
    throw unknownTarget()
  }
  if (target.rank < MAY_ATTACH) {
    throw attachmentErrors.targetNotAllowed()
  }
  const { kind } = wanted
  const linkId = freshId(ctx, 'lnk')
  const link = { linkId, kind, id: wanted.id }
  const links = [...linksOf(file).map((one) => ({ ...one, line: null })), { ...link, line: null }]
  return commit(ctx, {
    ...about('attachment.linked', file),
    ...(target.isPrivate === 0 ? { bookedOn: target.accountId } : {}),
    changes: { link },
    writes: [
      mustStillBeMine(ctx, id),
      mustAttachTo(ctx, { ...target, kind }, unknownTarget),
      insertLink({
        id: linkId,
        attachmentId: id,
        kind,
        targetId: target.targetId,
        ownerId: target.ownerId,
        createdBy: ctx.caller.userId,
        createdAt: ctx.now,
      }),
    ],
    result: { ...file, links: JSON.stringify(links) },
    conflicts: {
      'attachment_links.target_id': () => attachmentErrors.alreadyLinked({ field: 'id' }),
    },
  })
}

/**
 * Takes a file off something. The uploader, the administrators of the file's group and whoever writes on the account can
 * do that; the uploader also where they do not see the account any more.
 */
export async function unlinkAttachment(ctx: SignedIn, id: string, linkId: string): Promise<void> {
  const [[file], [target]] = await read(ctx, attachmentById(ctx, id), linkById(ctx, id, linkId))
  if (!file) {
    throw attachmentErrors.notFound()
  }
  const link = linksOf(file).find((one) => one.linkId === linkId)
  if (!link) {
    throw attachmentErrors.linkNotFound()
  }
  if (file.isMine === 0 && (target?.rank ?? 0) < MAY_TAKE_OFF) {
    throw attachmentErrors.notAllowed()
  }
  requireVersion(ctx, file.version)
  await commit(ctx, {
    ...about('attachment.unlinked', file),
    ...(target?.isPrivate === 0 ? { bookedOn: target.accountId } : {}),
    changes: { link },
    writes: [mustTakeOff(ctx, id, linkId), ...deleteLink(ctx, file, linkId)],
    result: undefined,
  })
}
