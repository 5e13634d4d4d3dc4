import { freshId, type SignedIn } from '../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../platform/database.ts'
import { attachmentErrors } from '../attachments.errors.ts'
import {
  attachmentById,
  type AttachmentRow,
  linksOf,
  mustStillBeMine,
} from '../attachments.queries.ts'
import { about, guards } from '../attachments.usecases.ts'
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

/** Attaches a file to something: whoever sees that sees the file, so it takes one whose file it is. */
export async function linkAttachment(
  ctx: SignedIn,
  id: string,
  wanted: Target,
): Promise<AttachmentRow> {
  const [[file], [target]] = await read(ctx, attachmentById(ctx, id), targetOf(ctx, wanted))
  if (!file) {
    throw attachmentErrors.notFound()
  }
  if (file.isMine === 0) {
    throw attachmentErrors.notAllowed()
  }
  if (!target) {
    throw attachmentErrors.unknownTarget({ field: 'id' })
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
      mustAttachTo(ctx, { ...target, kind }),
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
    guards,
    conflicts: {
      'attachment_links.target_id': () => attachmentErrors.alreadyLinked({ field: 'id' }),
    },
  })
}

/** Takes a file off something: whose file it is does that, and whoever writes on the account. */
export async function unlinkAttachment(ctx: SignedIn, id: string, linkId: string): Promise<void> {
  const [[file], [link]] = await read(ctx, attachmentById(ctx, id), linkById(ctx, id, linkId))
  if (!file) {
    throw attachmentErrors.notFound()
  }
  if (!link) {
    throw attachmentErrors.linkNotFound()
  }
  if (file.isMine === 0 && link.rank < MAY_TAKE_OFF) {
    throw attachmentErrors.notAllowed()
  }
  requireVersion(ctx, file.version)
  await commit(ctx, {
    ...about('attachment.unlinked', file),
    ...(link.isPrivate === 0 ? { bookedOn: link.accountId } : {}),
    changes: { link: linksOf(file).find((one) => one.linkId === linkId) },
    writes: [mustTakeOff(ctx, id, linkId), ...deleteLink(ctx, file, linkId)],
    result: undefined,
    guards: { ...guards, gone: attachmentErrors.linkNotFound },
  })
}
