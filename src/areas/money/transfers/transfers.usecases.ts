import { checkAll } from '../../../domain/errors.ts'
import { transferEntries } from '../../../domain/ledger.ts'
import { foldKey } from '../../../domain/text.ts'
import { freshId, type SignedIn } from '../../../platform/context.ts'
import {
  type Commit,
  commit,
  commitAndRead,
  read,
  requireVersion,
} from '../../../platform/database.ts'
import type { Change } from '../../../platform/events.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/paging.ts'
import { owns } from '../../identity/access/access.public.ts'
import {
  accountMeant,
  accountsForBooking,
  accountsToBookOn,
  type BookableAccount,
  type Recording,
  recordingOf,
} from '../accounts/accounts.public.ts'
import { categoriesByIds } from '../categories/categories.public.ts'
import {
  againIfCreatedMeanwhile,
  namingConflicts,
  type Draft,
  type LedgerRow,
  newHeader,
  namingLocks,
  prepareEdits,
  requireUnreconciled,
  rowOf,
  amend,
  book,
  discard,
  post,
} from '../../../ledger/ledger.public.ts'
import { NO_LABELS, rowsOfOwner } from '../../../ledger/labels/labels.public.ts'
import { payeeRefusals } from '../payees/payees.public.ts'
import { requireTags, tagRefusals, tagsByIds, tagsNamed } from '../tags/tags.public.ts'
import type { Discarded } from '../transactions/transactions.public.ts'
import { decideTransferChange, transferColumns, transferLabels } from './changes/changes.rules.ts'
import { transferErrors } from './transfers.errors.ts'
import {
  countOfTransfers,
  pageOfTransfers,
  transferById,
  type TransferFilter,
} from './transfers.queries.ts'
import {
  newLeg,
  newPlan,
  type NewTransfer,
  accountsWanted,
  categoriesNamed,
  feeFieldOf,
  requireCategories,
  requireOneOwner,
  type SentTransfer,
  type TransferChanges,
} from './transfers.rules.ts'

/** A transfer as its two accounts see it. */
export interface TransferView {
  from: LedgerRow
  to: LedgerRow
}

export async function listTransfers(
  ctx: SignedIn,
  filter: TransferFilter,
  page: PageRequest,
): Promise<Page<TransferView>> {
  const [legs, [counted]] = await read(
    ctx,
    pageOfTransfers(ctx, filter, page),
    countOfTransfers(ctx, filter),
  )
  const cut = cutPage(viewsOf(legs), page, ({ from }) => [from.date, from.transactionId])
  return { ...cut, count: counted?.count ?? 0 }
}

export async function getTransfer(ctx: SignedIn, id: string): Promise<TransferView> {
  const [legs] = await read(ctx, transferById(ctx, id))
  return existing(viewsOf(legs)[0])
}

/** Pairs the legs of transfers; one whose other leg the caller does not see is left out. */
export const viewsOf = (legs: LedgerRow[]): TransferView[] =>
  [...Map.groupBy(legs, ({ transactionId }) => transactionId).values()].flatMap(([from, to]) =>
    from && to ? [{ from, to }] : [],
  )

export function existing(view: TransferView | undefined): TransferView {
  if (!view) {
    throw transferErrors.notFound()
  }
  return view
}

/** The errors of a commit for labels that cannot be used. */
const labelErrors = {
  categories: {
    unknown: transferErrors.unknownCategory,
    otherKind: transferErrors.categoryKind,
    archived: transferErrors.archivedCategory,
  },
  payees: payeeRefusals,
  tags: tagRefusals,
}

export const transferBookingErrors = {
  gone: transferErrors.accountNotFound,
  closed: transferErrors.accountClosed,
  linked: transferErrors.linkedAmount,
  labels: labelErrors,
}

/** The accounts of a new transfer are fields of its request. */
const newBookingErrors = { ...transferBookingErrors, gone: transferErrors.unknownAccount }

export const transferConflicts = { 'entries.external_id': () => transferErrors.externalIdTaken() }

/** Moves money between two accounts of the caller. */
export async function createTransfer(ctx: SignedIn, sent: SentTransfer): Promise<TransferView> {
  const { fromAccountId, toAccountId, fromAccountName } = sent
  const draft: TransferDraft = {
    ...sent,
    kind: 'transfer',
    accountId: fromAccountId,
    accountName: fromAccountName,
  }
  const recording = recordingOf(
    ctx,
    draft,
    { from: fromAccountId, to: toAccountId },
    {
      place: (ends) => placedBetween(draft, ends),
      decide: (ends, ready) => newTransfer(ctx, ready, ends, sent.force),
    },
  )
  const booked = await recording.asRemembered()
  return booked ?? againIfCreatedMeanwhile(() => bookAsRead(ctx, draft, recording))
}

type TransferDraft = SentTransfer & Draft

type Ends = Record<'from' | 'to', BookableAccount>

const placedBetween = (draft: TransferDraft, { from, to }: Ends) => ({
  ...draft,
  fromAccountId: from.id,
  toAccountId: to.id,
  accountId: from.id,
  ownerId: from.ownerId,
})

async function bookAsRead(
  ctx: SignedIn,
  draft: TransferDraft,
  { needs, asRead }: Recording<keyof Ends, TransferView>,
): Promise<TransferView> {
  const wanted = accountsWanted(draft)
  const ends = [wanted.from, wanted.to]
  const named = categoriesNamed(draft)
  const [accounts, categories, tags, ...found] = await read(
    ctx,
    accountsToBookOn(ctx, {
      ids: ends.flatMap(({ id }) => id ?? []),
      keys: ends.flatMap(({ name }) => (name === undefined ? [] : [foldKey(name)])),
    }),
    categoriesByIds(ctx, idsOf(named)),
    tagsByIds(ctx, draft.tagIds ?? []),
    ...needs,
  )
  const [from, to] = checkAll(
    () => accountMeant(accounts, wanted.from, transferErrors.unknownAccount),
    () => accountMeant(accounts, wanted.to, transferErrors.unknownAccount),
  )
  requireOneOwner(from, to)
  const { ownerId } = from
  return asRead(
    { from, to },
    found,
    () => requireCategories(named, rowsOfOwner(ownerId, categories)),
    () => requireTags(tagsNamed(draft.tagIds), rowsOfOwner(ownerId, tags)),
  )
}

/** Returns the change that commits a new transfer between two accounts. */
function newTransfer(
  ctx: SignedIn,
  { changes, ...wanted }: NewTransfer & { changes: Change[] },
  accounts: Ends,
  force: boolean | undefined,
): Commit<TransferView> {
  requireOneOwner(accounts.from, accounts.to)
  const from = newLeg(accounts.from, wanted.status)
  const to = newLeg(accounts.to, wanted.status)
  const { ownerId } = from
  const plan = newPlan(wanted, { from, to })
  const entries = transferEntries(plan, feeFieldOf(wanted))
  const header = newHeader(ctx, {
    id: freshId(ctx, 'trf'),
    ownerId,
    kind: 'transfer',
    date: plan.date,
    ...transferColumns(wanted, plan),
  })
  const labels = transferLabels(NO_LABELS, wanted)
  return {
    changes: [
      ...changes,
      post(ctx, { ...newBookingErrors, force }, book([{ header, entries, labels }])),
    ],
    result: { from: rowOf(header, entries, 1, labels), to: rowOf(header, entries, 2, labels) },
    conflicts: { ...transferConflicts, ...namingConflicts },
  }
}

const idsOf = (named: { id: string }[]) => named.map(({ id }) => id)

/** Changes the fields that are sent, in both legs together. */
export async function updateTransfer(
  ctx: SignedIn,
  id: string,
  wanted: TransferChanges,
): Promise<TransferView> {
  const { fromAccountId, toAccountId } = wanted
  const sent = [fromAccountId, toAccountId].filter((one) => one !== undefined)
  const { needs, ready } = prepareEdits(ctx, [id])
  const named = categoriesNamed(wanted)
  const [legs, accounts, categories, tags, ...found] = await read(
    ctx,
    transferById(ctx, id),
    accountsForBooking(ctx, sent),
    categoriesByIds(ctx, idsOf(named)),
    tagsByIds(ctx, wanted.tagIds ?? []),
    ...needs,
  )
  const { from: row } = existing(viewsOf(legs)[0])
  requireVersion(ctx, row.version)
  const given = {
    named: { categories: named, tags: tagsNamed(wanted.tagIds) },
    ...{ accounts, categories, tags },
  }
  const { decided, changes } = await namingLocks(ctx, row, () =>
    ready(found)(wanted, (fields) => decideTransferChange(row, fields, given)),
  )
  const changed = await commitAndRead(
    ctx,
    {
      changes: [
        ...changes,
        post(ctx, { ...transferBookingErrors, force: wanted.force }, amend(ctx, [decided])),
      ],
      conflicts: { ...transferConflicts, ...namingConflicts },
    },
    transferById(ctx, id),
  )
  return existing(viewsOf(changed)[0])
}

/** Moves both legs to the trash. */
export async function deleteTransfer(
  ctx: SignedIn,
  id: string,
  force?: boolean,
): Promise<Discarded> {
  const { from } = await getTransfer(ctx, id)
  requireVersion(ctx, from.version)
  const forced = await namingLocks(ctx, from, () =>
    requireUnreconciled(from, { force }, transferErrors.reconciled),
  )
  return commit(ctx, {
    changes: [
      post(ctx, { ...transferBookingErrors, force }, discard(ctx, [{ row: from, ...forced }])),
    ],
    result: { isOwn: owns(ctx.caller, from) },
  })
}
