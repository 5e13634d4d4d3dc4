import { booleanField } from '../../../http/fields.ts'
import { profileOf, type SignedIn } from '../../../platform/context.ts'

/** @param what waits for a confirmed address */
export const pendingConfirmation = (what: string) =>
  booleanField(
    `Whether the caller’s e-mail address is still unconfirmed. If there are ${what} to it, they are listed only once it is confirmed.`,
    false,
  )

/** Goes by the address of the caller alone: whoever has not confirmed it may not learn what waits for whoever does. */
export const isConfirmationPending = (ctx: SignedIn): boolean => !profileOf(ctx).emailVerified
