import { addressOf } from '../../../../domain/ledger-ids.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database/database.ts'
import { takenOnceRescoped } from '../../../../ledger/ledger.public.ts'
import { change } from '../changes/changes.usecases.ts'
import { labelsInRequest } from '../labels/labels.rules.ts'
import { transactionErrors } from '../transactions.errors.ts'
import { categoriesInRequest } from '../transactions.rules.ts'
import { changeOfOne, type ManyChanges } from './bulk.rules.ts'
import type { BulkOutcome, Outcomes, TransactionSelection } from './selection.usecases.ts'

interface ChangeManyInput extends TransactionSelection {
  changes: ManyChanges
  force?: boolean | undefined
  dryRun: boolean
}

/** Changes the fields that are sent of all of them, or of none. */
export async function updateTransactions(
  ctx: SignedIn,
  { changes, force, dryRun, ...selection }: ChangeManyInput,
): Promise<Outcomes<'changed' | 'unchanged'>> {
  const { payees, tags } = labelsInRequest(changes)
  const added = (changes.addTagIds ?? []).map((id, at) => ({ id, field: `addTagIds.${at}` }))
  const named = { categories: categoriesInRequest(changes), payees, tags: [...tags, ...added] }
  const { changedIds, ...result } = await change(
    ctx,
    selection,
    { named, of: (row) => changeOfOne(row, changes) },
    { force, dryRun },
    (outcomes, changedIds) => ({ outcomes, dryRun, changedIds }),
  )
  return dryRun
    ? { ...result, outcomes: await withTakenIds(ctx, result.outcomes, changes, changedIds) }
    : result
}

/** Marks the outcomes of rows that cannot become private or public because their external ids are taken there. */
async function withTakenIds<Done extends string>(
  ctx: SignedIn,
  outcomes: BulkOutcome<Done>[],
  changes: ManyChanges,
  transactionIds: string[],
): Promise<BulkOutcome<Done>[]> {
  if (changes.private === undefined || transactionIds.length === 0) {
    return outcomes
  }
  const [taken] = await read(ctx, takenOnceRescoped(transactionIds, changes.private))
  const ids = new Set(taken.map(({ id }) => id))
  return outcomes.map((outcome) =>
    ids.has(addressOf(outcome.id).transactionId)
      ? { ...outcome, result: transactionErrors.externalIdTaken({ field: 'private' }) }
      : outcome,
  )
}
