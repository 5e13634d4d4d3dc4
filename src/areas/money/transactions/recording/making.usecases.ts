import { type AppError, checkAll } from '../../../../domain/errors.ts'
import { transferIdFrom } from '../../../../domain/ids.ts'
import { type Entry, legOf, singleEntries, transferEntries } from '../../../../domain/ledger.ts'
import { foldKey } from '../../../../domain/text.ts'
import { freshId, type SignedIn } from '../../../../platform/context.ts'
import type { Statement } from '../../../../platform/database/statements.ts'
import type { Change } from '../../../../platform/log/events.ts'
import {
  type Header,
  type LedgerRow,
  ledgerRowsByExternalIds,
  newHeader,
  type PlacedDraft,
  prepare,
  rowOf,
  type NewWhole,
  type TransferAccount,
  type Whole,
} from '../../../../ledger/ledger.public.ts'
import {
  type Bookable,
  type Named,
  NO_LABELS,
  rowsOfOwner,
} from '../../../../ledger/labels/labels.public.ts'
import {
  accountMeant,
  type BookableAccount,
  type FoundAccount,
} from '../../accounts/accounts.public.ts'
import { requireTags, tagsNamed } from '../../tags/tags.public.ts'
import { columnsOfChanges } from '../changes/changes.rules.ts'
import { labelsAfter, labelsInRequest, requireLabels } from '../labels/labels.rules.ts'
import { type PartAccount, partAccountsNamed } from '../splits/parts.rules.ts'
import { transactionErrors } from '../transactions.errors.ts'
import {
  accountWanted,
  categoriesInRequest,
  newBooking,
  type NewTransaction,
  placedOn,
  requireCategories,
  type SentTransaction,
} from '../transactions.rules.ts'
import { transferErrors } from './transfers.errors.ts'
import {
  canBeTransfer,
  endsWanted,
  feeFieldOf,
  newLeg,
  newTransferPlan,
  type NewTransfer,
  requireOneOwner,
  requireTransferCategories,
  transferCategoriesNamed,
  transferColumns,
  type TransferDraft,
  transferLabels,
  transferWithNew,
} from './transfers.rules.ts'

/** The facts that the service says of a draft, and no request. */
export interface Origin {
  /** By default a fresh one. */
  id?: string | undefined
  source?: Header['source'] | undefined
  importId?: string | undefined
  /** The recurring item that it is an occurrence of, and the nominal date of that. */
  recurringId?: string | undefined
  recurringDate?: string | undefined
}

/** A transaction that is to be recorded, as far as anybody has said what it is. */
export type RecordDraft = (SentTransaction & Origin) | (TransferDraft & Origin)

/** With what a request may do with it, where that was read. */
export type DraftAccount = BookableAccount & Partial<FoundAccount>

/** A transaction whole, and what hooks commit with it. */
export interface MadeTransaction extends NewWhole {
  changes: Change[]
  /** The line of the account that the draft is on; 1 if left out. */
  line?: number
}

/** A draft that became a transaction, or that the account has already by its externalId. */
export type Recorded =
  | { made: MadeTransaction }
  | {
      existing: LedgerRow
      /** False where an earlier draft of the same request is it. */
      isStored: boolean
    }

/** The additions of hooks beside the fields of a draft. */
type FromHooks = Partial<Pick<MadeTransaction, 'changes' | 'suggested' | 'facts'>> & {
  transferAccount?: TransferAccount | undefined
}

/** Hooks give a draft a status, if nobody else does. */
type Settled = Required<Pick<NewTransaction, 'status'>>

/** Makes a transaction with one account. */
export function makeTransaction(
  ctx: SignedIn,
  { id: accountId, ownerId, currency }: BookableAccount,
  {
    changes = [],
    suggested,
    facts,
    source,
    importId,
    recurringId,
    recurringDate,
    ...wanted
  }: NewTransaction & Origin & FromHooks,
  accounts: PartAccount[] = [],
): MadeTransaction {
  const { kind, date, id = freshId(ctx, 'txn') } = wanted
  const entries = singleEntries(newBooking(id, wanted, { accountId, ownerId, currency }, accounts))
  const header = newHeader(ctx, {
    ...{ id, ownerId, kind, date, ...columnsOfChanges(wanted) },
    ...originOf({ source, importId, recurringId, recurringDate }),
  })
  const labels = labelsAfter(NO_LABELS, wanted, entries)
  return { header, entries, labels, changes, facts, ...(suggested ? { suggested } : {}) }
}

/** Makes a transaction with one account the leg of a transfer whose other leg is new. */
function withOtherLeg(made: MadeTransaction, account: TransferAccount): MadeTransaction {
  const { header, entries } = made
  const [own] = entries as [Entry]
  const { amountMinor: signedMinor, date } = own
  const amounts = { date, signedMinor, otherMinor: Math.abs(signedMinor) }
  return {
    ...made,
    header: {
      ...header,
      ...{ id: transferIdFrom(header.id), kind: 'transfer', rate: null },
      ...{ originalAmountMinor: null, originalCurrency: null },
    },
    entries: transferEntries(transferWithNew(legOf(own), account, amounts)),
    line: signedMinor < 0 ? 1 : 2,
  }
}

interface Ends {
  from: BookableAccount
  to: BookableAccount
}

/** The columns of an origin that are said. */
const originOf = (origin: Omit<Origin, 'id'>) =>
  Object.fromEntries(Object.entries(origin).filter(([, value]) => value !== undefined))

/** Makes a transfer between two accounts of one owner. */
export function makeTransfer(
  ctx: SignedIn,
  accounts: Ends,
  {
    changes = [],
    suggested,
    facts,
    source,
    recurringId,
    recurringDate,
    ...wanted
  }: NewTransfer & Origin & FromHooks,
): MadeTransaction {
  const from = newLeg(accounts.from, wanted.status)
  const to = newLeg(accounts.to, wanted.status)
  const plan = newTransferPlan(wanted, { from, to })
  const entries = transferEntries(plan, feeFieldOf(wanted))
  const { id = freshId(ctx, 'trf') } = wanted
  const header = newHeader(ctx, {
    ...{ id, ownerId: from.ownerId, kind: 'transfer', date: plan.date },
    ...transferColumns(wanted, plan),
    ...originOf({ source, recurringId, recurringDate }),
  })
  const labels = transferLabels(NO_LABELS, wanted)
  return { header, entries, labels, changes, facts, ...(suggested ? { suggested } : {}) }
}

/** A transaction as the account of one of its lines shows it. */
export const rowOfMade = (
  { header, entries, labels, line: own = 1 }: Whole & Pick<MadeTransaction, 'line'>,
  line = own,
) => rowOf(header, entries, line, labels)

/** The accounts and labels that a draft names. */
export interface NamedInDraft {
  accounts: { id?: string | undefined; name?: string | undefined }[]
  categories: Named[]
  payees: Named[]
  tags: Named[]
}

export function namesInDraft(draft: RecordDraft): NamedInDraft {
  if (draft.kind === 'transfer') {
    const { from, to } = endsWanted(draft)
    const categories = transferCategoriesNamed(draft)
    return { accounts: [from, to], categories, payees: [], tags: tagsNamed(draft.tagIds) }
  }
  const accounts = [accountWanted(draft), ...partAccountsNamed(draft.splits)]
  return { accounts, categories: categoriesInRequest(draft), ...labelsInRequest(draft) }
}

/** The transactions that have these external ids already; an empty one is nobody's. */
export function storedByExternalId(ctx: SignedIn, drafts: RecordDraft[]): Statement<LedgerRow[]> {
  const identified = drafts.flatMap((draft) =>
    draft.kind === 'transfer' || !draft.externalId ? [] : [draft],
  )
  return ledgerRowsByExternalIds(
    ctx,
    identified.flatMap(({ accountId, externalId }) =>
      accountId === undefined || !externalId ? [] : [[accountId, externalId]],
    ),
    identified.flatMap(({ accountName, externalId }) =>
      accountName === undefined || !externalId ? [] : [[foldKey(accountName), externalId]],
    ),
  )
}

/** The labels that drafts name, as far as the caller may put them on transactions. */
export interface KnownLabels {
  categories: (Bookable & { kind: string })[]
  payees: Bookable[]
  tags: Bookable[]
}

/** A draft whose accounts are known, and the way to make a transaction of it. */
export interface PlacedInBooks {
  draft: RecordDraft & PlacedDraft
  accounts: DraftAccount[]
  /** The accounts that parts name, as far as the caller sees them. */
  partAccounts: DraftAccount[]
  /** Refuses labels that were read and do not fit. */
  requireLabels: (known: KnownLabels, named: NamedInDraft) => void
  /** @param ready the draft with what hooks said of it */
  make: (ready: RecordDraft & PlacedDraft & FromHooks) => MadeTransaction
}

/** The accounts that drafts may mean, and the error for one that is missing. */
interface Places {
  accounts: DraftAccount[]
  unknown?: ((detail: { field: string }) => AppError) | undefined
  /** Refuses an account before anything else is said. */
  requireBookable?: (account: DraftAccount) => void
}

/**
 * Finds the accounts of a draft.
 * @throws AppError when one is missing, or the draft cannot be on it
 */
export const placeDraft = (ctx: SignedIn, draft: RecordDraft, places: Places): PlacedInBooks =>
  draft.kind === 'transfer' ? placeTransfer(ctx, draft, places) : placeSingle(ctx, draft, places)

function placeSingle(
  ctx: SignedIn,
  sent: SentTransaction & Origin,
  { accounts, unknown = transactionErrors.unknownAccount, requireBookable }: Places,
): PlacedInBooks {
  const account = accountMeant(accounts, accountWanted(sent), unknown)
  requireBookable?.(account)
  const draft = placedOn(account, sent)
  // One that is not seen is missing, which is refused where the part is read.
  const ofParts = new Set(partAccountsNamed(sent.splits).map(({ id }) => id))
  const partAccounts = accounts.filter(({ id }) => ofParts.has(id))
  return {
    draft,
    accounts: [account],
    partAccounts,
    requireLabels: (known, named) => {
      const of = ofOwner(account.ownerId, known)
      checkAll(
        () => requireLabels(named, of),
        () => requireCategories(draft.kind, named.categories, of.categories),
      )
    },
    make: ({ transferAccount, ...ready }) => {
      const made = makeTransaction(ctx, account, ready as typeof draft & Settled, partAccounts)
      return transferAccount && !ready.isHalf && canBeTransfer(ready, account, transferAccount)
        ? withOtherLeg(made, transferAccount)
        : made
    },
  }
}

function placeTransfer(
  ctx: SignedIn,
  sent: TransferDraft & Origin,
  { accounts, unknown = transferErrors.unknownAccount, requireBookable }: Places,
): PlacedInBooks {
  const wanted = endsWanted(sent)
  const [from, to] = checkAll(
    () => accountMeant(accounts, wanted.from, unknown),
    () => accountMeant(accounts, wanted.to, unknown),
  )
  requireOneOwner(from, to)
  requireBookable?.(from)
  requireBookable?.(to)
  const { ownerId, currency, ruleSet } = from
  const ids = { fromAccountId: from.id, toAccountId: to.id }
  const draft = { ...sent, ...ids, accountId: from.id, ownerId, currency, ruleSet }
  return {
    draft,
    accounts: [from, to],
    partAccounts: [],
    requireLabels: (known, named) => {
      const of = ofOwner(ownerId, known)
      checkAll(
        () => requireTransferCategories(named.categories, of.categories),
        () => requireTags(named.tags, of.tags),
      )
    },
    make: (ready) => makeTransfer(ctx, { from, to }, ready as typeof draft & Settled),
  }
}

const ofOwner = (ownerId: string, { categories, payees, tags }: KnownLabels): KnownLabels => ({
  categories: rowsOfOwner(ownerId, categories),
  payees: rowsOfOwner(ownerId, payees),
  tags: rowsOfOwner(ownerId, tags),
})

/** Prepares drafts whose accounts are read, as the rows of a file; the commit decides on their labels and external ids. */
export function makeDrafts(ctx: SignedIn, drafts: RecordDraft[]) {
  const { needs, ready } = prepare(ctx, drafts)
  return {
    /** The reads of hooks. */
    needs: needs(),
    /** @param found what the finders gave, in their order */
    makerOf: (found: unknown[], accounts: DraftAccount[]) => {
      const prepared = ready(found)
      return (draft: RecordDraft): MadeTransaction => {
        const placed = placeDraft(ctx, draft, { accounts })
        return placed.make(prepared(placed.draft))
      }
    },
    /** Tells what rules make of a draft, by the same decision; undefined if none matches it. */
    rulingOf: (found: unknown[], accounts: DraftAccount[]) => {
      const prepared = ready(found)
      return (draft: RecordDraft) => prepared(placeDraft(ctx, draft, { accounts }).draft).ruling?.()
    },
  }
}
