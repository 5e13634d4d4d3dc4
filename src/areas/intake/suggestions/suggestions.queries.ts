import type { SignedIn } from '../../../platform/context.ts'
import { firstFailingDay } from '../../money/balance-assertions/balance-assertions.public.ts'
import { sessionSpan } from '../../money/reconciliations/reconciliations.public.ts'
import { notesOfPieces, unbookedPieces } from '../imports/imports.public.ts'

/** The pieces of imports in which rows of the account of a session were not booked, in its days. */
export const piecesForSession = (ctx: SignedIn, id: string) => unbookedPieces(ctx, sessionSpan(id))

export const notesForSession = (ctx: SignedIn, id: string) => notesOfPieces(ctx, sessionSpan(id))

/** Since when the account of a session is known to be wrong. */
export const wrongSince = (ctx: SignedIn, id: string) =>
  firstFailingDay(ctx, sessionSpan(id).accountId)
