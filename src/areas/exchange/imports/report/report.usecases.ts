import { VERDICTS } from '../../../../domain/imports/verdicts.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { type AccountOutcome, type LeftOut, outcomeFrom } from '../booking/outcomes.rules.ts'
import { countsFrom } from '../imports.rules.ts'
import { getImport, type ImportView } from '../imports.usecases.ts'

/** What became of the rows of a file. It does not need the rows, so it is there as long as the import is. */
export interface ImportReport extends ImportView {
  accounts: (AccountOutcome & { accountId: string })[]
  leftOut: LeftOut[]
}

const NOT_BOOKED = VERDICTS.filter(
  (verdict) => !['new', 'matched', 'updated', 'transfer'].includes(verdict),
)

/** Tells what was booked, matched and left out, and why. Before a commit it tells what would be left out. */
export async function getImportReport(ctx: SignedIn, id: string): Promise<ImportReport> {
  const view = await getImport(ctx, id)
  const { accounts, leftOut } = outcomeFrom(view.row.outcome)
  const counts = countsFrom(view.row.counts)
  const isBegun = leftOut.length > 0 || Object.keys(accounts).length > 0
  return {
    ...view,
    accounts: Object.entries(accounts).map(([accountId, one]) => ({ accountId, ...one })),
    leftOut: isBegun
      ? leftOut
      : NOT_BOOKED.filter((verdict) => counts[verdict] > 0).map((verdict) => ({
          ...{ verdict, reason: null, rows: counts[verdict], lines: [] },
        })),
  }
}
