import type { SignedIn } from '../../../../platform/context.ts'
import { commit } from '../../../../platform/database/database.ts'
import { withoutEvents } from '../../../../platform/log/events.ts'
import { keyOfMatch } from '../linking/linking.rules.ts'
import { recurringItems } from '../recurring.usecases.ts'
import { insertDismissal } from './dismissing.queries.ts'

interface Dismissal {
  recurringId?: string | undefined
  nominalDate?: string | undefined
  transactionId?: string | undefined
  key?: string | undefined
}

/** Dismisses a match or a suggestion for good, for the caller alone. */
export async function dismissRecurring(
  ctx: SignedIn,
  { recurringId, nominalDate = '', transactionId = '', key }: Dismissal,
): Promise<void> {
  if (recurringId !== undefined) {
    await recurringItems.get(ctx, recurringId)
  }
  const dismissed =
    recurringId === undefined ? key : keyOfMatch({ recurringId, nominalDate, transactionId })
  await commit(ctx, {
    changes: [withoutEvents(insertDismissal(ctx, dismissed ?? ''))],
    result: undefined,
  })
}
