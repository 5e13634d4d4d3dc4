import { VERDICTS } from '../../../../domain/imports/verdicts.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database.ts'
import { visibleAccounts } from '../../../money/accounts/accounts.public.ts'
import { type AccountOutcome, type LeftOut, outcomeFrom } from '../booking/outcomes.rules.ts'
import { namedCategories } from '../booking/booking.queries.ts'
import { importErrors } from '../imports.errors.ts'
import { importById, statementsShown, namesOfKept } from '../imports.queries.ts'
import { countsFrom } from '../imports.rules.ts'
import type { ImportView } from '../imports.usecases.ts'

/** The report on the rows of a file. It does not need the rows, so it exists as long as the import does. */
export interface ImportReport extends ImportView {
  accounts: (AccountOutcome & { accountId: string })[]
  leftOut: LeftOut[]
  /** What accounts, categories and kept transactions are called that the caller sees, by their ids. */
  names: ReadonlyMap<string, string>
}

const NOT_BOOKED = VERDICTS.filter(
  (verdict) => !['new', 'matched', 'updated', 'transfer'].includes(verdict),
)

/** Tells what was booked, matched and left out, and why. Before a commit it tells what would be left out. */
export async function getImportReport(ctx: SignedIn, id: string): Promise<ImportReport> {
  const [[row], statements, views, categories, kept] = await read(
    ctx,
    importById(ctx, id),
    statementsShown(ctx, id),
    visibleAccounts(ctx),
    namedCategories(ctx),
    namesOfKept(ctx, id),
  )
  if (!row) {
    throw importErrors.notFound()
  }
  const { accounts, leftOut } = outcomeFrom(row.outcome)
  const counts = countsFrom(row.counts)
  const isBegun = leftOut.length > 0 || Object.keys(accounts).length > 0
  return {
    ...{ row, statements },
    accounts: Object.entries(accounts).map(([accountId, one]) => ({ accountId, ...one })),
    leftOut: isBegun
      ? leftOut
      : NOT_BOOKED.filter((verdict) => counts[verdict] > 0).map((verdict) => ({
          ...{ verdict, reason: null, rows: counts[verdict], lines: [] },
        })),
    names: new Map(
      [...views.map(({ account }) => account), ...categories, ...kept].flatMap((one) =>
        one.name === null ? [] : [[one.id, one.name]],
      ),
    ),
  }
}
