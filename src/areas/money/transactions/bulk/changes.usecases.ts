import { addressOf } from '../../../../domain/ledger-ids.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../../platform/database.ts'
import type { Change } from '../../../../platform/events.ts'
import { visibleAccounts } from '../../accounts/accounts.public.ts'
import { categoriesByIds } from '../../categories/categories.public.ts'
import {
  type Amendment,
  amend,
  daysChanged,
  entriesOf,
  namingConflicts,
  post,
  prepareEdits,
  requireUnlocked,
  takenOnceRescoped,
} from '../../../../ledger/ledger.public.ts'
import { payeesForBooking } from '../../payees/payees.public.ts'
import { tagsByIds } from '../../tags/tags.public.ts'
import { type Effect, decideChange, requireMayHide, amendmentOf } from '../changes/changes.rules.ts'
import { labelsNamed } from '../labels/labels.rules.ts'
import { categoriesNamed, type TransactionChanges } from '../transactions.rules.ts'
import { transactionErrors } from '../transactions.errors.ts'
import { bookingErrors } from '../recording/posting-errors.rules.ts'
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
  const { needs, ready } = prepareEdits(
    ctx,
    selection.ids?.map((id) => addressOf(id).transactionId),
  )
  const [rows, views, categories, payees, tags, ...found] = await read(
    ctx,
    selectedRows(ctx, selection),
    visibleAccounts(ctx),
    categoriesByIds(ctx, idsOf(named.categories)),
    payeesForBooking(ctx, idsOf(named.payees)),
    tagsByIds(ctx, idsOf(named.tags)),
    ...needs,
  )
  requireVersion(ctx, ...rows.map(({ version }) => version))
  const given = { named, account: undefined, categories, payees, tags }
  const requireRight = allowedIn(views)
  const locks = locksIn(views)
  const edited = ready(found)
  const edits = new Map<string, { effect: Effect; amendment: Amendment }>()
  const ofHooks: Change[] = []
  const outcomes = decideOnEach(rows, selection, (row) => {
    requireMayHide(row, changes, ctx.caller.userId)
    const first = edits.get(row.transactionId)?.effect
    const decide = (fields: TransactionChanges, bySent?: Effect) => {
      const effect = decideChange(row, { ...fields, force }, given, first?.entries)
      const whole = joined(first, effect, bySent)
      return { ...amendmentOf(row, whole), effect, whole }
    }
    const sent = changesOf(row, changes)
    const asSent = decide(sent)
    const { decided, changes: own } = asSent.effect.isSame
      ? { decided: asSent, changes: [] }
      : edited(sent, (fields) => decide(fields, asSent.effect), asSent)
    const { effect, whole, ...amendment } = decided
    for (const id of effect.accountIds) {
      requireRight(id, effect.right, effect.isRebooked)
    }
    // What a hook says of the second side may take back what the first one did.
    if (effect.isSame && (!first || decided === asSent)) {
      return 'unchanged'
    }
    const before = entriesOf(row)
    requireUnlocked(daysChanged(before, amendment.entries ?? before), locks, { force })
    edits.set(row.transactionId, { effect: whole, amendment })
    ofHooks.push(...own)
    return 'changed'
  })
  const result = { outcomes, dryRun }
  if (dryRun) {
    return { ...result, outcomes: await withTakenIds(ctx, outcomes, changes, [...edits.keys()]) }
  }
  requireAll(outcomes, selection)
  if (edits.size === 0) {
    return result
  }
  const amendments = [...edits.values()].map(({ amendment }) => amendment)
  return commit(ctx, {
    changes: [
      ...ofHooks,
      post(
        ctx,
        { ...bookingErrors, force, lockedField: placeOf(selection) },
        amend(ctx, amendments),
      ),
    ],
    result,
    conflicts: {
      ...namingConflicts,
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
