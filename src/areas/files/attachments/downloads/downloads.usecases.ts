import { AppError } from '../../../../domain/errors.ts'
import type { Range } from '../../../../platform/bucket.ts'
import type { Context, SignedIn } from '../../../../platform/context.ts'
import { fromBase64Url, macText, sameText, toBase64Url } from '../../../../platform/crypto.ts'
import { commit, read } from '../../../../platform/database.ts'
import { download } from '../../../../platform/downloads.ts'
import { pageFinders, readOn } from '../../../../platform/log-reading.ts'
import type { Page, PageRequest } from '../../../../platform/paging.ts'
import { attachmentErrors } from '../attachments.errors.ts'
import { attachmentEvents, fileOf } from '../attachments.events.ts'
import type { AttachmentRow } from '../attachments.queries.ts'
import { findAttachment } from '../attachments.usecases.ts'
import { downloadList, type DownloadRow } from './downloads.queries.ts'
import type { SignedLink } from './downloads.rules.ts'

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

/** What went wrong for the issuer is nothing that the bearer should learn. */
const LOST = ['unauthenticated', 'forbidden', 'notFound']

export async function listDownloads(ctx: SignedIn, page: PageRequest): Promise<Page<DownloadRow>> {
  const list = downloadList(ctx)
  const found = await read(ctx, ...pageFinders(list, page))
  if (ctx.caller.token?.accountIds) {
    throw attachmentErrors.tokenIsRestricted()
  }
  return readOn(ctx, list, page, found)
}
