import type { Context } from '../../../../platform/context.ts'
import { macText, sameText } from '../../../../platform/crypto.ts'

/**
 * Proves to the service that it made the data with this hash for this user. Nobody else can make it, so the ids in such an archive
 * were the user's.
 */
export const archiveSeal = ({ settings }: Context, userId: string, contentHash: string): string =>
  macText(settings.appSecret, 'archive-seal', `${userId} ${contentHash}`)

/** Tells whether this service made an archive for this user, and nobody has changed its data since. */
export const isSealed = (
  ctx: Context,
  userId: string,
  { contentHash, seal }: { contentHash: string; seal: string | undefined },
): boolean => seal !== undefined && sameText(seal, archiveSeal(ctx, userId, contentHash))
