import type { SignedIn } from '../../../platform/context.ts'
import { read } from '../../../platform/database/database.ts'
import { pageFinders, readOn } from '../../../platform/log/log-reading.ts'
import { nothing } from '../../../platform/database/statements.ts'
import { assertionErrors } from './balance-assertions.errors.ts'
import {
  accountSeen,
  type AssertionFilter,
  assertionsToCheck,
} from './balance-assertions.queries.ts'
import { type Assertion, assertionFrom } from './balance-assertions.usecases.ts'
import { loggedChangesSince, linesChanged } from './checking.queries.ts'
import {
  type Break,
  breakIn,
  explains,
  idOfLine,
  type ChangeOfLine,
  type SuspectLine,
  suspectsOf,
} from './balance-assertions.rules.ts'

/** The results of checking the assertions of an account. */
export interface CheckedAssertions extends Break<Assertion> {
  accountId: string
  currency: string
  number: number
  failed: number
  suspects: SuspectLine[]
  /** True if the suspects explain the whole difference of the first failing one; null where none fails. */
  isExplained: boolean | null
}

/** Changes that the log is asked for. */
const MOST_CHANGES = 5000

/** Compares assertions with the books, and looks for what broke the first one of each account. */
export async function checkBalanceAssertions(
  ctx: SignedIn,
  filter: AssertionFilter,
): Promise<CheckedAssertions[]> {
  const { accountId: only } = filter
  const [views, seen] = await read(
    ctx,
    assertionsToCheck(ctx, filter),
    only === undefined ? nothing<{ id: string }>() : accountSeen(ctx, only),
  )
  if (only !== undefined && seen.length === 0) {
    throw assertionErrors.unknownAccount({ field: 'accountId' })
  }
  const byAccount = Map.groupBy(views.map(assertionFrom), ({ row }) => row.accountId)
  const accounts = [...byAccount].map(([accountId, assertions]) => ({
    accountId,
    currency: assertions[0]?.currency ?? '',
    number: assertions.length,
    failed: assertions.filter(({ outcome }) => outcome.ok === false).length,
    ...breakIn(assertions),
  }))
  const days = accounts.flatMap(({ accountId, lastOk, firstFailing }) =>
    firstFailing
      ? [
          {
            accountId,
            after: lastOk?.row.through ?? '',
            through: firstFailing.row.through,
            since: firstFailing.row.createdAt,
          },
        ]
      : [],
  )
  const [lines] = await read(ctx, linesChanged(ctx, days))
  const changes = await changesOf(
    ctx,
    lines.map(idOfLine),
    Math.min(...days.map(({ since }) => since)),
  )
  return accounts.map((account) => {
    const { firstFailing } = account
    const suspects = firstFailing ? suspectsOf(firstFailing.row, lines, changes) : []
    const isExplained = firstFailing
      ? explains(suspects, firstFailing.outcome.differenceMinor)
      : null
    return { ...account, suspects, isExplained }
  })
}

async function changesOf(ctx: SignedIn, ids: string[], since: number): Promise<ChangeOfLine[]> {
  if (ids.length === 0) {
    return []
  }
  const list = loggedChangesSince(ids, since)
  const page = { limit: MOST_CHANGES, after: undefined }
  const { rows } = await readOn(ctx, list, page, await read(ctx, ...pageFinders(list, page)))
  return rows
}
