import { AppError } from '../../domain/errors.ts'
import type { SignedIn } from '../../platform/context.ts'
import { readOrStop } from '../../platform/work/tasks.ts'
import { type Difference, projectionChecks, transactionChecks } from './checks.queries.ts'
import { accountsOf, accountsWith, transactionsOf } from './steps.queries.ts'

/**
 * Compares the transactions of somebody with each other once they are restored, as the ledger is every night. Triggers keep
 * what is summed up, so that is not looked at.
 * @throws AppError for the first difference: no service wrote the archive
 */
export async function compareRestored(owner: SignedIn): Promise<void> {
  const { userId } = owner.caller
  let last = ''
  for (;;) {
    const [found] = await readOrStop(owner, transactionsOf(userId, last))
    const end = found.at(-1)
    if (!end) {
      break
    }
    last = end.id
    const range = { ids: found.map(({ id }) => id) }
    for (const check of Object.values(transactionChecks)) {
      requireNone(...(await readOrStop(owner, check(range))))
    }
  }
  const [accounts] = await readOrStop(owner, accountsOf(userId))
  for (const { id } of accounts) {
    requireNone(...(await readOrStop(owner, projectionChecks.uncategorised(accountsWith([id])))))
  }
}

function requireNone([difference]: Difference[]): void {
  if (difference) {
    throw new AppError('conflict', 'ledger.different', difference.finding)
  }
}
