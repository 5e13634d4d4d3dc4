import { freshId, type SignedIn } from '../../../../platform/context.ts'
import type { Change } from '../../../../platform/events.ts'
import { fromWideSum } from '../../../../platform/wide-sums.ts'
import { requireAccess } from '../../../identity/access/access.public.ts'
import { assertionErrors } from '../balance-assertions.errors.ts'
import { assertionEvents, assertionThing, statedOf } from '../balance-assertions.events.ts'
import { insertAssertions } from '../balance-assertions.queries.ts'
import { type AssertionRow, holds } from '../balance-assertions.rules.ts'
import type { ClosingRow } from './closings.queries.ts'

/** States the closings of statements of which nothing is stated yet. */
export function assertClosings(ctx: SignedIn, closings: ClosingRow[]): Change {
  const open = closings.filter(({ isStated }) => isStated === 0)
  const rows = open.map(
    ({ accountId, ownerId, date, basis, amountMinor, actual }): AssertionRow => {
      const stated = { amountMinor, toleranceMinor: 0 }
      return {
        id: freshId(ctx, 'bas'),
        ...{ ownerId, accountId, date, edge: 'endOfDay', basis, through: date, ...stated },
        ...{ source: 'import', lockId: null, note: null, createdBy: ctx.caller.userId },
        wasOk: holds(stated, fromWideSum(actual)),
        ...{ version: 1, createdAt: ctx.now, updatedAt: ctx.now },
      }
    },
  )
  const accountIds = [...new Set(rows.map(({ accountId }) => accountId))]
  return {
    statements:
      rows.length === 0
        ? []
        : [
            requireAccess(ctx, 'write', accountIds, assertionErrors.unknownAccount),
            ...insertAssertions(rows),
          ],
    events: rows.map((row) =>
      assertionEvents.created({ ...assertionThing(row), version: 1 }, { after: statedOf(row) }),
    ),
  }
}
