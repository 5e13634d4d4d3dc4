import { addressOf } from '../../../../domain/ledger-ids.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../../platform/database.ts'
import { visibleAccounts } from '../../accounts/accounts.public.ts'
import { categoriesByIds } from '../../categories/categories.public.ts'
import {
  type LedgerRow,
  amend,
  daysChanged,
  entriesOf,
  post,
  requireUnlocked,
  takenOnceRescoped,
} from '../../../../ledger/ledger.public.ts'
import { payeesForBooking } from '../../payees/payees.public.ts'
import { tagsByIds } from '../../tags/tags.public.ts'
import { type Effect, decideChange, requireMayHide, amendmentOf } from '../changes/changes.rules.ts'
import { labelsNamed } from '../labels/labels.rules.ts'
import { categoriesNamed } from '../transactions.rules.ts'
import { transactionErrors } from '../transactions.errors.ts'
import { bookingErrors } from '../transactions.usecases.ts'
import { changesOf, joined, type ManyChanges } from './bulk.rules.ts'
import {
  decideOnEach,
  allowedIn,
  locksIn,
  placeOf,
  type Outcome,
  type Outcomes,
  requireAll,
  selectedRows,
  type Selection,
} from './selection.usecases.ts'

interface ChangeManyInput extends Selection {
  changes: ManyChanges
  force?: boolean | undefined
  dryRun: boolean
}

/** Changes the fields that are sent of all of them, or of none. */
export async function updateTransactions(
  ctx: SignedIn,
  { changes, force, dryRun, ...selection }: ChangeManyInput,
): Promise<Outcomes<'changed' | 'unchanged'>> {
  const labels = labelsNamed(changes)
  const added = (changes.addTagIds ?? []).map((id, at) => ({ id, field: `addTagIds.${at}` }))
  const named = {
    categories: categoriesNamed(changes),
    payees: labels.payees,
    tags: [...labels.tags, ...added],
  }
  const [rows, views, categories, payees, tags] = await read(
    ctx,
    selectedRows(ctx, selection),
    visibleAccounts(ctx),
    categoriesByIds(ctx, idsOf(named.categories)),
    payeesForBooking(ctx, idsOf(named.payees)),
    tagsByIds(ctx, idsOf(named.tags)),
  )
  requireVersion(ctx, ...rows.map(({ version }) => version))
  const given = { named, account: undefined, categories, payees, tags, isOfMany: true } as const
  const requireRight = allowedIn(views)
  const locks = locksIn(views)
  const effects = new Map<string, { row: LedgerRow; effect: Effect }>()
  const outcomes = decideOnEach(rows, selection, (row) => {
    requireMayHide(row, changes, ctx.caller.userId)
    const before = entriesOf(row)
    const first = effects.get(row.transactionId)?.effect
    const effect = decideChange(row, { ...changesOf(row, changes), force }, given, first?.entries)
    for (const id of effect.accountIds) {
      requireRight(id, effect.right, effect.isRebooked)
    }
    if (effect.isSame) {
      return 'unchanged'
    }
    const { entries = before } = amendmentOf(row, effect)
    requireUnlocked(daysChanged(before, entries), locks, { force })
    effects.set(row.transactionId, { row, effect: joined(first, effect) })
    return 'changed'
  })
  const all = [...effects.values()]
  const result = { outcomes, dryRun }
  if (dryRun) {
    return { ...result, outcomes: await withTakenIds(ctx, outcomes, changes, [...effects.keys()]) }
  }
  requireAll(outcomes, selection)
  if (all.length === 0) {
    return result
  }
  const amendments = all.map(({ row, effect }) => amendmentOf(row, effect))
  return commit(ctx, {
    changes: [
      post(
        ctx,
        { ...bookingErrors, force, lockedField: placeOf(selection) },
        amend(ctx, amendments),
      ),
    ],
    result,
    conflicts: {
      'entries.external_id': () => transactionErrors.externalIdTaken({ field: 'changes.private' }),
    },
  })
}

/** Marks the outcomes of rows that cannot become private or public because their external ids are taken there. */
async function withTakenIds<Done extends string>(
  ctx: SignedIn,
  outcomes: Outcome<Done>[],
  changes: ManyChanges,
  transactionIds: string[],
): Promise<Outcome<Done>[]> {
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

const idsOf = (named: { id: string }[]) => named.map(({ id }) => id)
