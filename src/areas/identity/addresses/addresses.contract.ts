import { booleanField } from '../../../http/fields.ts'
import { profileOf, type SignedIn } from '../../../platform/context.ts'

/** @param what waits for a confirmed address */
export const pendingConfirmation = (what: string) =>
  booleanField(
    `Whether the own e-mail address is not confirmed: there may be ${what} to it, which are listed once it is. It is the same whether or not there are any.`,
    false,
  )

/** Goes by the address of the caller alone: whoever has not confirmed it may not learn what waits for whoever does. */
export const isConfirmationPending = (ctx: SignedIn): boolean => !profileOf(ctx).emailVerified
