import { AppError } from '../../../../domain/errors.ts'
import type { Draft, NewWhole } from '../../../../ledger/ledger.public.ts'
import { transactionErrors } from '../transactions.errors.ts'

/** What the drafts of one attempt leave out of what rules say. */
export type Concession = Pick<Draft, 'applyRules' | 'noRoomFor'>

/** A transaction as it was made of a draft. */
type Made = Pick<NewWhole, 'facts'> & { line?: number }

/** The errors of a commit that the other account of a transfer may be the reason for. */
const OF_TRANSFERS: ReadonlySet<string> = new Set([
  'ledger.outOfRange',
  ...['locks.periodLocked', 'locks.forceNotAllowed'],
  ...[transactionErrors.accountClosed().code, transactionErrors.unknownAccount().code],
])

/**
 * Says what to leave out of what rules say, and at last all of it, so that they refuse no booking; undefined where they are not to
 * blame for an error.
 */
export function concessionAfter(
  error: unknown,
  made: Made[],
  { noRoomFor }: Concession = {},
): Concession | undefined {
  const code = error instanceof AppError ? error.code : ''
  if (OF_TRANSFERS.has(code)) {
    // Drafts are on the other side of a transfer only by a rule.
    return made.some(({ line }) => line) ? { noRoomFor: ['transferAccountId'] } : undefined
  }
  if (code !== 'idempotency.answerTooLarge' || !made.some(({ facts }) => facts?.['ruleIds'])) {
    return undefined
  }
  return noRoomFor?.includes('note')
    ? { applyRules: false }
    : { noRoomFor: ['transferAccountId', 'description', 'note', 'splits'] }
}
