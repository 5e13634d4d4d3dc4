import { among, type Statement } from '../../platform/database/statements.ts'
import { type Movement, ofTransactions } from '../hooks/hooks.usecases.ts'
import { withRangeAtTheEnd } from '../trash/owned.queries.ts'

/** Lets balances leave the range of amounts between the lines of these movements; a single line has nothing between. */
export function inRangeAtTheEnd(movements: Movement[], statements: Statement[]): Statement[] {
  const accountIds = movedOften(movements)
  return accountIds.length === 0
    ? statements
    : withRangeAtTheEnd(ownersOf(movements), among(accountIds), statements)
}

const ownersOf = (movements: Movement[]): string[] => [
  ...new Set(
    ofTransactions(movements).flatMap(({ before, after }) =>
      [before, after].flatMap((whole) => whole?.header.ownerId ?? []),
    ),
  ),
]

/** The accounts on which more than one line comes or goes. */
function movedOften(movements: Movement[]): string[] {
  const lines = new Map<string, number>()
  for (const { before, after } of ofTransactions(movements)) {
    const images = before?.entries === after?.entries ? [] : [before, after]
    for (const { accountId, side } of images.flatMap((whole) => whole?.entries ?? [])) {
      lines.set(accountId, (lines.get(accountId) ?? 0) + (side === 'account' ? 1 : 0))
    }
  }
  return [...lines].flatMap(([accountId, count]) => (count > 1 ? [accountId] : []))
}
