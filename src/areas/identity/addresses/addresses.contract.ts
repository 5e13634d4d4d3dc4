import { booleanField } from '../../../http/fields.ts'
import { profileOf, type SignedIn } from '../../../platform/context.ts'

/** @param things the things that wait for a confirmed address, in the plural */
export const pendingConfirmation = (things: string) =>
  booleanField(
    `Whether the caller’s e-mail address is still unconfirmed. If there are ${things} to it, they are listed only once it is confirmed.`,
    false,
  )

/** Goes by the address of the caller alone: whoever has not confirmed it may not learn what waits for whoever does. */
export const isConfirmationPending = (ctx: SignedIn): boolean => !profileOf(ctx).emailVerified
