import { addressOf } from '../../../../domain/ledger-ids.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import {
  commit,
  commitAndRead,
  read,
  requireVersion,
} from '../../../../platform/database/database.ts'
import { changedMeanwhile } from '../../../../platform/database/refusals.ts'
import type { Change } from '../../../../platform/log/events.ts'
import { accountsForBooking, visibleAccounts } from '../../accounts/accounts.public.ts'
import { categoriesByIds } from '../../categories/categories.public.ts'
import {
  type Amendment,
  amend,
  daysChanged,
  entriesOf,
  type LedgerRow,
  ledgerRowById,
  match,
  type MatchedRows,
  namingConflicts,
  namingLocks,
  post,
  prepareEdits,
  requireUnlocked,
} from '../../../../ledger/ledger.public.ts'
import { payeesForBooking } from '../../payees/payees.public.ts'
import { tagsByIds } from '../../tags/tags.public.ts'
import {
  allowedIn,
  checkedSelection,
  decideOnEach,
  locksIn,
  type BulkOutcome,
  placeOf,
  requireAll,
  selectedRows,
  type TransactionSelection,
} from '../bulk/selection.usecases.ts'
import { labelsInRequest } from '../labels/labels.rules.ts'
import { bookingErrors } from '../recording/posting-errors.rules.ts'
import { requireRight } from '../recording/recording.usecases.ts'
import { type PartAccount, partAccountsNamed } from '../splits/parts.rules.ts'
import {
  categoriesInRequest,
  type SingleKind,
  type TransactionChanges,
} from '../transactions.rules.ts'
import { transactionConflicts, existingRow } from '../transactions.usecases.ts'
import { transactionErrors } from '../transactions.errors.ts'
import {
  amendmentOf,
  type ChangeInput,
  decideChange,
  type Effect,
  joinedEffects,
  requireMayHide,
} from './changes.rules.ts'

/** Edits of stored transactions. */
export interface Edits {
  /** The labels that the request names, each with the field that names it. */
  named: ChangeInput['named']
  /** Of these labels, those that the fields of one transaction name, where they are not the same for all. */
  namedIn?: (changes: TransactionChanges, row: LedgerRow) => ChangeInput['named']
  /** Returns the fields that change of a transaction; those that are absent stay as they are. */
  of: (row: LedgerRow) => TransactionChanges
  /** Returns the transfer that takes the place of a transaction, with its change, where the edit makes one of it. */
  transferOf?: (amendment: Amendment) => MatchedRows | undefined
}

/** An edit of one side of a transaction, as the request and the hooks say together. */
interface DecidedEdit {
  /** The effect on this side alone. */
  effect: Effect
  /** The effect on the transaction, with that of an earlier edit of another side. */
  whole: Effect
  amendment: Amendment
  /** True if the transaction stays as the request has it so far. */
  isSame: boolean
  /** Changes of the hooks' own areas. */
  changes: Change[]
}

export interface ChangeOptions {
  /** True if reconciled and locked transactions may change. */
  force?: boolean | undefined
  /** Decides on each, and changes none. */
  dryRun?: boolean
  /** What the request selects, where only some of it is changed: errors name its fields. */
  asked?: TransactionSelection
}

/**
 * Changes stored transactions: all of them, or none. This is the way from an edit to the ledger; `changeOne` is the same for the
 * transaction that a request addresses.
 * @param resultOf makes the result of the outcomes; refusals are among them in a dry run alone
 */
export async function change<Result>(
  ctx: SignedIn,
  selection: TransactionSelection,
  edits: Edits,
  { force, dryRun, asked = selection }: ChangeOptions,
  resultOf: (outcomes: BulkOutcome<'changed' | 'unchanged'>[], changedIds: string[]) => Result,
): Promise<Result> {
  const ids = selection.ids?.map((id) => addressOf(id).transactionId)
  const prepared = prepareChange(ctx, edits, { ids, force })
  const selected = await checkedSelection(ctx, selection)
  const [rows, views, ...found] = await read(
    ctx,
    selectedRows(ctx, selected),
    visibleAccounts(ctx),
    ...prepared.needs,
  )
  requireVersion(ctx, ...rows.map(({ version }) => version))
  const decide = prepared.deciderOf(
    views.map(({ account }) => account),
    found,
  )
  const requireAllowed = allowedIn(views)
  const locks = locksIn(views)
  const decided = new Map<string, DecidedEdit>()
  const transfers = new Map<string, MatchedRows>()
  const ofHooks: Change[] = []
  const outcomes = decideOnEach(rows, selection, (row) => {
    const edit = decide(row, decided.get(row.transactionId)?.whole)
    const { effect, amendment } = edit
    for (const id of effect.accountIds) {
      requireAllowed(id, effect.right, effect.isRebooked)
    }
    const matched = edits.transferOf?.(amendment)
    if (edit.isSame && !matched) {
      return 'unchanged'
    }
    const before = entriesOf(row)
    const after = matched?.transfer.entries ?? amendment.entries ?? before
    requireUnlocked(daysChanged(before, after), locks, { force })
    if (matched) {
      for (const { accountId } of after) {
        requireAllowed(accountId, 'write')
      }
      transfers.set(row.transactionId, matched)
    }
    decided.set(row.transactionId, edit)
    ofHooks.push(...edit.changes)
    return 'changed'
  })
  const result = resultOf(outcomes, [...decided.keys()])
  if (dryRun) {
    return result
  }
  requireAll(outcomes, asked)
  if (decided.size === 0) {
    return result
  }
  const amendments = Map.groupBy(
    [...decided.values()].map(({ amendment }) => amendment),
    ({ row }) => transfers.has(row.transactionId),
  )
  // The labels of an edit are asserted, whatever it makes of the transaction.
  const { chosen = [] } = amend(ctx, amendments.get(true) ?? [])
  const errors = { ...bookingErrors, force, lockedField: placeOf(asked) }
  return commit(ctx, {
    changes: [
      ...ofHooks,
      post(ctx, errors, amend(ctx, amendments.get(false) ?? []), {
        ...match(ctx, [...transfers.values()]),
        chosen,
      }),
    ],
    result,
    conflicts: {
      ...namingConflicts,
      // Somebody else may have made the same transfer meanwhile.
      'transactions.id': changedMeanwhile,
      'entries.external_id': () => transactionErrors.externalIdTaken({ field: 'changes.private' }),
    },
  })
}

/** Changes the transaction that a request addresses. */
export async function changeOne(
  ctx: SignedIn,
  id: string,
  edits: Edits & {
    /** The accounts that the request names: the one that the transaction moves to, and those of parts. */
    accountIds: string[]
  },
  { kind, force }: Pick<ChangeOptions, 'force'> & { kind?: SingleKind | undefined } = {},
): Promise<LedgerRow> {
  const prepared = prepareChange(ctx, edits, { ids: [addressOf(id).transactionId], force })
  const [[stored], accounts, ...found] = await read(
    ctx,
    ledgerRowById(ctx, id),
    accountsForBooking(ctx, edits.accountIds),
    ...prepared.needs,
  )
  const row = existingRow(stored, kind)
  requireRight(row, 'annotate')
  requireVersion(ctx, row.version)
  const decide = prepared.deciderOf(accounts, found)
  const { amendment, changes } = await namingLocks(ctx, row, () => decide(row))
  const [changed] = await commitAndRead(
    ctx,
    {
      changes: [...changes, post(ctx, { ...bookingErrors, force }, amend(ctx, [amendment]))],
      conflicts: { ...transactionConflicts, ...namingConflicts },
    },
    ledgerRowById(ctx, id),
  )
  return existingRow(changed)
}

/** The part that one edit and many have in common: what is read before, and the decision on one row after the other. */
function prepareChange(
  ctx: SignedIn,
  { named, namedIn, of }: Edits,
  { ids, force }: { ids: string[] | undefined; force: boolean | undefined },
) {
  const { needs, ready } = prepareEdits(ctx, ids)
  return {
    needs: [
      categoriesByIds(ctx, idsOf(named.categories)),
      payeesForBooking(ctx, idsOf(named.payees)),
      tagsByIds(ctx, idsOf(named.tags)),
      ...needs,
    ] as const,
    /** @param accounts those that an edit may move a transaction to, or name in a part */
    deciderOf: (
      accounts: PartAccount[],
      [categories, payees, tags, ...found]: [...FoundLabels, ...unknown[]],
    ) => {
      const edited = ready(found)
      const known = { accounts, categories, payees, tags }
      /** @param first the effect of an earlier edit of another side of the same transaction */
      return (row: LedgerRow, first?: Effect): DecidedEdit => {
        const sent = { ...of(row), force }
        requireMayHide(row, sent, ctx.caller.userId)
        const given = { named: namedIn?.(sent, row) ?? named, ...known }
        const decide = (fields: TransactionChanges, bySent?: Effect) => {
          const effect = decideChange(row, fields, given, first?.entries)
          const whole = joinedEffects(first, effect, bySent)
          return { ...amendmentOf(row, whole), effect, whole }
        }
        const asSent = decide(sent)
        // Hooks have nothing to add where the request changes nothing.
        const { decided, changes } = asSent.effect.isSame
          ? { decided: asSent, changes: [] }
          : edited(sent, (fields) => decide(fields, asSent.effect), asSent)
        const { effect, whole, ...amendment } = decided
        // A hook's decision on the second side may reverse that on the first one.
        const isSame = effect.isSame && (!first || decided === asSent)
        return { effect, whole, amendment, isSame, changes }
      }
    },
  }
}

type FoundLabels = [ChangeInput['categories'], ChangeInput['payees'], ChangeInput['tags']]

const idsOf = (named: { id: string }[]) => named.map(({ id }) => id)

/** Changes the fields that are sent of one transaction. */
export const changeTransaction = (
  ctx: SignedIn,
  id: string,
  wanted: TransactionChanges,
  kind?: SingleKind,
): Promise<LedgerRow> =>
  changeOne(
    ctx,
    id,
    {
      named: { categories: categoriesInRequest(wanted), ...labelsInRequest(wanted) },
      accountIds: [
        ...(wanted.accountId === undefined ? [] : [wanted.accountId]),
        ...partAccountsNamed(wanted.splits).map((one) => one.id),
      ],
      of: () => wanted,
    },
    { kind, force: wanted.force },
  )
