import type { AppError } from '../../../domain/errors.ts'
import { singleEntries } from '../../../domain/ledger.ts'
import { foldKey } from '../../../domain/text.ts'
import { rankOf, type Right } from '../../../domain/sharing.ts'
import { freshId, type SignedIn } from '../../../platform/context.ts'
import { type Change, withoutEvents } from '../../../platform/events.ts'
import { rightNeeded } from '../../../platform/refusals.ts'
import { type Commit, commit, read, requireVersion } from '../../../platform/database.ts'
import { owns } from '../../identity/access/access.public.ts'
import {
  accountMeant,
  accountsToBookOn,
  type BookableAccount,
  type FoundAccount,
  type Recording,
  recordingOf,
} from '../accounts/accounts.public.ts'
import { categoriesByIds } from '../categories/categories.public.ts'
import {
  againIfCreatedMeanwhile,
  namingConflicts,
  type LedgerRow,
  ledgerRowById,
  namingLocks,
  mustBeUnbooked,
  newHeader,
  rowOf,
  book,
  discard,
  post,
  type Whole,
} from '../../../ledger/ledger.public.ts'
import { type Named, NO_LABELS, rowsOfOwner } from '../../../ledger/labels/labels.public.ts'
import { payeesForBooking } from '../payees/payees.public.ts'
import { tagsByIds } from '../tags/tags.public.ts'
import { columnsOf, removalOf } from './changes/changes.rules.ts'
import { labelErrors, labelsAfter, labelsNamed, requireLabels } from './labels/labels.rules.ts'
import {
  type CreatedTransaction,
  answerExisting,
  existingByExternalId,
  existingOrThrow,
  externalIdsOf,
} from './repetition/repetition.usecases.ts'
import { type PartAccount, partAccountsNamed } from './splits/parts.rules.ts'
import { transactionErrors } from './transactions.errors.ts'
import {
  categoriesNamed,
  newBooking,
  type NewTransaction,
  requireCategories,
  accountWanted,
  placedOn,
  type SentTransaction,
  type SingleKind,
} from './transactions.rules.ts'

/** @param kind of those that are looked at: one of another is as if it were not there */
export async function findTransaction(
  ctx: SignedIn,
  id: string,
  kind?: SingleKind,
): Promise<LedgerRow> {
  const [[row]] = await read(ctx, ledgerRowById(ctx, id))
  return existingRow(row, kind)
}

export function existingRow(row: LedgerRow | undefined, kind?: SingleKind): LedgerRow {
  if (!row || (kind && row.kind !== kind)) {
    throw transactionErrors.notFound()
  }
  return row
}

export const bookingErrors = {
  gone: transactionErrors.accountNotFound,
  closed: transactionErrors.accountClosed,
  linked: transactionErrors.linkedAmount,
  labels: labelErrors,
}

const unknownAccount = () => transactionErrors.unknownAccount({ field: 'accountId' })

const externalIdTaken = () => transactionErrors.externalIdTaken({ field: 'externalId' })

export const conflicts = { 'entries.external_id': externalIdTaken }

/**
 * Books an expense, an income or an adjustment.
 * @param kind what alone may be shown in place of it, where its externalId is taken
 */
export async function createTransaction(
  ctx: SignedIn,
  sent: SentTransaction,
  kind?: SingleKind,
): Promise<CreatedTransaction> {
  const parts = partAccountsNamed(sent.splits).map(({ id }) => id)
  const recording = recordingOf<SentTransaction, string, CreatedTransaction>(
    ctx,
    sent,
    { ...Object.fromEntries(parts.map((id) => [id, id])), [WHOLE_ACCOUNT]: sent.accountId },
    {
      place: (accounts) => placedOn(wholeAccountIn(accounts), sent),
      decide: (accounts, ready) => {
        const change = newTransaction(ctx, wholeAccountIn(accounts), ready, {
          accounts: Object.values(accounts),
          force: sent.force,
        })
        return { ...change, result: { row: change.result, isNew: true } }
      },
    },
  )
  const booked = await recording.asRemembered()
  return booked ?? againIfCreatedMeanwhile(() => bookAsRead(ctx, { sent, kind }, recording))
}

/** The account of a transaction among those that recording it needs; accounts of its parts are named by their ids. */
const WHOLE_ACCOUNT = 'account'

function wholeAccountIn(accounts: Record<string, BookableAccount>): BookableAccount {
  const account = accounts[WHOLE_ACCOUNT]
  if (!account) {
    throw new Error('wholeAccountIn: a transaction has an account')
  }
  return account
}

async function bookAsRead(
  ctx: SignedIn,
  { sent, kind }: { sent: SentTransaction; kind: SingleKind | undefined },
  { needs, asRead }: Recording<string, CreatedTransaction>,
): Promise<CreatedTransaction> {
  const named = categoriesNamed(sent)
  const labels = labelsNamed(sent)
  const parts = partAccountsNamed(sent.splits)
  const { accountId, accountName } = sent
  const [accounts, categories, [stored], payees, tags, ...found] = await read(
    ctx,
    accountsToBookOn(ctx, {
      ids: [...(accountId === undefined ? [] : [accountId]), ...parts.map(({ id }) => id)],
      keys: accountName === undefined ? [] : [foldKey(accountName)],
    }),
    categoriesByIds(ctx, idsOf(named)),
    existingByExternalId(ctx, sent),
    payeesForBooking(ctx, idsOf(labels.payees)),
    tagsByIds(ctx, idsOf(labels.tags)),
    ...needs,
  )
  const account = accountMeant(accounts, accountWanted(sent), transactionErrors.unknownAccount)
  // Before anything else is told: also what is there already is shown to whoever could have booked it.
  requireRight(account, 'write')
  if (stored) {
    return answerExisting(ctx, stored, kind)
  }
  const { ownerId } = account
  const wanted = placedOn(account, sent)
  const known = { payees: rowsOfOwner(ownerId, payees), tags: rowsOfOwner(ownerId, tags) }
  try {
    return await asRead(
      { ...partAccountsIn(accounts, parts), [WHOLE_ACCOUNT]: account },
      found,
      () => requireLabels(labels, known),
      () => requireCategories(wanted.kind, named, rowsOfOwner(ownerId, categories)),
    )
  } catch (error) {
    return existingOrThrow(ctx, wanted, error, kind)
  }
}

/**
 * The accounts of parts among those that were read, by their ids; one that is not seen is missing, which is refused where the
 * part is read.
 */
function partAccountsIn(accounts: FoundAccount[], named: Named[]): Record<string, FoundAccount> {
  const ids = new Set(named.map(({ id }) => id))
  const found = accounts.filter(({ id }) => ids.has(id))
  for (const account of found) {
    requireRight(account, 'write')
  }
  return Object.fromEntries(found.map((account) => [account.id, account]))
}

/** A transaction whole, with the row that a finder will give for it. */
export interface BookedTransaction extends Whole {
  row: LedgerRow
  /** Changes that hooks add. */
  changes: Change[]
}

/** A new transaction on an account that was read. */
export function makeTransaction(
  ctx: SignedIn,
  { id: accountId, ownerId, currency }: BookableAccount,
  { changes = [], ...wanted }: NewTransaction & { changes?: Change[] },
  accounts: PartAccount[] = [],
  id = freshId(ctx, 'txn'),
): BookedTransaction {
  const entries = singleEntries(newBooking(id, wanted, { accountId, ownerId, currency }, accounts))
  const { kind, date } = wanted
  const header = newHeader(ctx, { id, ownerId, kind, date, ...columnsOf(wanted) })
  const labels = labelsAfter(NO_LABELS, wanted, entries)
  return { header, entries, labels, changes, row: rowOf(header, entries, 1, labels) }
}

/**
 * Returns the change that commits a new transaction on an account. Its result is the new row.
 * @param accounts those that its parts name
 */
export function newTransaction(
  ctx: SignedIn,
  account: BookableAccount,
  wanted: NewTransaction & { changes?: Change[] },
  {
    gone = unknownAccount,
    accounts,
    force,
  }: { gone?: () => AppError; accounts?: PartAccount[]; force?: boolean | undefined } = {},
): Commit<LedgerRow> {
  const made = makeTransaction(ctx, account, wanted, accounts)
  return {
    conflicts: namingConflicts,
    changes: [
      ...made.changes,
      withoutEvents(mustBeUnbooked(ctx, externalIdsOf([wanted]), externalIdTaken)),
      post(ctx, { ...bookingErrors, gone, force }, book([made])),
    ],
    result: made.row,
  }
}

/** Before all that is wrong with the request; the commit asserts it again. */
export function requireRight({ rank = 0 }: { rank?: number }, least: Right): void {
  if (rank < rankOf(least)) {
    throw rightNeeded(least)()
  }
}

const idsOf = (named: { id: string }[]) => named.map(({ id }) => id)

/** The item that moved to the trash of its owner. */
export interface Discarded {
  /** Whether that is the caller. */
  isOwn: boolean
}

/** Moves a transaction to the trash; a leg goes with its transfer, an opening with its account. */
export async function deleteTransaction(
  ctx: SignedIn,
  id: string,
  force?: boolean,
  kind?: SingleKind,
): Promise<Discarded> {
  const row = await findTransaction(ctx, id, kind)
  requireVersion(ctx, row.version)
  const forced = await namingLocks(ctx, row, () => removalOf(row, force))
  return commit(ctx, {
    changes: [post(ctx, { ...bookingErrors, force }, discard(ctx, [{ row, ...forced }]))],
    result: { isOwn: owns(ctx.caller, row) },
  })
}
