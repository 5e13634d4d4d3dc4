import { freshId, type SignedIn } from '../../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../../platform/database/database.ts'
import { attachmentErrors } from '../attachments.errors.ts'
import { attachmentEvents, fileOf, openlyOn, eventsForOwner } from '../attachments.events.ts'
import {
  attachmentById,
  type AttachmentRow,
  linksOf,
  linksToOthers,
  mustStillBeMine,
} from '../attachments.queries.ts'
import {
  deleteAttachmentLink,
  insertAttachmentLink,
  linkById,
  MAY_ATTACH,
  MAY_TAKE_OFF,
  mustAttachTo,
  mustTakeOff,
  type LinkTarget,
  seenTarget,
} from './links.queries.ts'
import { owns } from '../../../identity/access/access.public.ts'

/**
 * Attaches a file to something. Whoever sees that sees the file from then on, whatever else they lose, so only the
 * uploader can do it: an administrator of the file's group would keep the file beyond the group.
 */
export async function linkAttachment(
  ctx: SignedIn,
  id: string,
  wanted: LinkTarget,
): Promise<AttachmentRow> {
  const [[file], [target]] = await read(ctx, attachmentById(ctx, id), seenTarget(ctx, wanted))
  if (!file) {
    throw attachmentErrors.notFound()
  }
  if (!owns(ctx.caller, file)) {
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
    changes: [
      {
        statements: [
          mustStillBeMine(ctx, id),
          mustAttachTo(ctx, { ...target, kind }, unknownTarget),
          ...insertAttachmentLink({
            id: linkId,
            attachmentId: id,
            kind,
            targetId: target.targetId,
            ownerId: target.ownerId,
            createdBy: ctx.caller.userId,
            createdAt: ctx.now,
          }),
        ],
        events: [
          attachmentEvents.linked({ ...fileOf(file), ...openlyOn(target) }, { link }),
          ...eventsForOwner('linked', file, target, { link }),
        ],
      },
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
  const [[file], [target], others] = await read(
    ctx,
    attachmentById(ctx, id),
    linkById(ctx, id, linkId),
    linksToOthers(id),
  )
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
  const notified = target ?? others.find((one) => one.linkId === linkId)
  await commit(ctx, {
    changes: [
      {
        statements: [mustTakeOff(ctx, id, linkId), ...deleteAttachmentLink(ctx, file, linkId)],
        events: [
          attachmentEvents.unlinked({ ...fileOf(file), ...openlyOn(target) }, { link }),
          // Also where the uploader does not see the account any more.
          ...(notified ? eventsForOwner('unlinked', file, notified, { link }) : []),
        ],
      },
    ],
    result: undefined,
  })
}
