import { type Entry, isSameBooking, singleEntries } from '../../domain/ledger.ts'
import { freshId, type SignedIn } from '../../platform/context.ts'
import {
  type Change as DatabaseChange,
  commit,
  commitAndRead,
  read,
  requireVersion,
} from '../../platform/database.ts'
import type { LogEntry } from '../../platform/log.ts'
import { Memory } from '../../platform/memory.ts'
import { mustBookOn, mustStillSee } from '../access/access.public.ts'
import {
  accountsForBooking,
  type BookableAccount,
  historyFacts,
} from '../accounts/accounts.public.ts'
import { categoriesByIds } from '../categories/categories.public.ts'
import {
  entriesOf,
  imageOf,
  insertTransaction,
  isSameLinks,
  type LedgerRow,
  ledgerRowById,
  linksOf,
  type Named,
  newHeader,
  NO_LINKS,
  replaceTransaction,
  requireUnreconciled,
  rowOf,
  trashTransactions,
} from '../ledger/ledger.public.ts'
import { payeesForBooking, resolutionOf } from '../payees/payees.public.ts'
import { tagsByIds } from '../tags/tags.public.ts'
import { linksAfter, linksNamed, requireLinks } from './links/links.rules.ts'
import { type Created, repeated, twinOf, twinOrThrow } from './repetition/repetition.usecases.ts'
import { transactionErrors } from './transactions.errors.ts'
import { columnsOf } from './transactions.queries.ts'
import {
  adjustmentOf,
  bookingOf,
  categoriesNamed,
  changedBooking,
  dependentEntries,
  newBooking,
  type NewTransaction,
  requireCategories,
  type Side,
  type TransactionChanges,
} from './transactions.rules.ts'

export async function findTransaction(ctx: SignedIn, id: string): Promise<LedgerRow> {
  const [[row]] = await read(ctx, ledgerRowById(ctx, id))
  return existing(row)
}

function existing(row: LedgerRow | undefined): LedgerRow {
  if (!row) {
    throw transactionErrors.notFound()
  }
  return row
}

const bookingErrors = {
  guards: {
    gone: transactionErrors.accountNotFound,
    conflict: transactionErrors.accountClosed,
  },
  conflicts: {
    'entries.external_id': () => transactionErrors.externalIdTaken({ field: 'externalId' }),
  },
}

/**
 * Accounts that were booked on, by user and account. What is remembered of one, its owner and its currency,
 * the commit asserts by foreign key, and that it is seen and open by guard: so it need not be read again.
 */
const bookable = new Memory<BookableAccount>(1000)

/** Books an expense, an income or an adjustment. */
export async function bookTransaction(ctx: SignedIn, wanted: NewTransaction): Promise<Created> {
  const named = categoriesNamed(wanted)
  const key = `${ctx.caller.userId} ${wanted.accountId}`
  const links = linksNamed(wanted)
  const payeeText = wanted.payeeId === undefined ? wanted.payeeRaw : undefined
  const isPlain = [...named, ...links.payees, ...links.tags].length === 0 && !payeeText
  const isAlone = isPlain && !wanted.externalId && !ctx.repeatable
  const remembered = isAlone ? bookable.get(key) : undefined
  const [[account], categories, [twin], payees, tags, [meant]] = remembered
    ? [[remembered], [], [], [], [], []]
    : await read(
        ctx,
        accountsForBooking(ctx, [wanted.accountId]),
        categoriesByIds(ctx, idsOf(named)),
        twinOf(ctx, wanted),
        payeesForBooking(ctx, idsOf(links.payees)),
        tagsByIds(ctx, idsOf(links.tags)),
        resolutionOf(ctx, payeeText),
      )
  if (!account) {
    throw transactionErrors.accountNotFound()
  }
  bookable.set(key, account)
  if (twin) {
    return repeated(ctx, twin)
  }
  requireCategories(wanted.kind, named, categories)
  requireLinks(links, { payees, tags })
  const change = newTransaction(ctx, account, { ...wanted, ...meant })
  const created = commit(ctx, { ...change, result: { row: change.result, isNew: true } })
  return created.catch((error: unknown) => {
    bookable.forget(key)
    return twinOrThrow(ctx, wanted, error)
  })
}

/** What commits a new transaction on an account that was read; its result is the row that it makes. */
export function newTransaction(
  ctx: SignedIn,
  { id: accountId, ownerId, currency }: BookableAccount,
  wanted: NewTransaction,
): DatabaseChange<LedgerRow> {
  const id = freshId(ctx, 'txn')
  const entries = singleEntries(newBooking(id, wanted, { accountId, ownerId, currency }))
  const { kind, date } = wanted
  const header = newHeader(ctx, { id, ownerId, kind, date, ...columnsOf(wanted) })
  const linked = linksAfter(NO_LINKS, wanted, entries)
  const row = rowOf(header, entries, 1, linked)
  return {
    action: 'transaction.created',
    resource: { type: 'transaction', id },
    ownerId,
    ...historyOf(id, undefined, row),
    changes: { after: imageOf(row) },
    writes: [mustBookOn(ctx, [accountId]), ...insertTransaction(header, entries, linked)],
    result: row,
    ...bookingErrors,
  }
}

const idsOf = (named: { id: string }[]) => named.map(({ id }) => id)

/** A change that may depend on what is stored. */
export interface Change {
  /** The account that it moves to. */
  accountId?: string | undefined
  /** The categories that the request names, each with the field that names it. */
  named: Named[]
  /** The payees and tags, likewise. */
  links: Record<'payees' | 'tags', Named[]>
  wantedOf: (row: LedgerRow) => TransactionChanges
}

/** Changes the fields that are sent. */
export const changeTransaction = (
  ctx: SignedIn,
  id: string,
  wanted: TransactionChanges,
): Promise<LedgerRow> =>
  applyChange(ctx, id, {
    accountId: wanted.accountId,
    named: categoriesNamed(wanted),
    links: linksNamed(wanted),
    wantedOf: () => wanted,
  })

export async function applyChange(
  ctx: SignedIn,
  id: string,
  { accountId, named, links, wantedOf }: Change,
): Promise<LedgerRow> {
  const [[stored], accounts, categories, payees, tags] = await read(
    ctx,
    ledgerRowById(ctx, id),
    accountsForBooking(ctx, accountId === undefined ? [] : [accountId]),
    categoriesByIds(ctx, idsOf(named)),
    payeesForBooking(ctx, idsOf(links.payees)),
    tagsByIds(ctx, idsOf(links.tags)),
  )
  const row = existing(stored)
  requireVersion(ctx, row.version)
  const wanted = wantedOf(row)
  const before = entriesOf(row)
  const after = entriesAfter(row, before, wanted, { account: accounts[0], named, categories })
  const linksBefore = linksOf(row)
  requireLinks(links, { payees, tags }, linksBefore)
  const forced = requireUnreconciled(row, wanted, transactionErrors.reconciled)
  const linked = linksAfter(linksBefore, wanted, after)
  const columns = columnsOf(wanted)
  const isRebooked = !isSameBooking(before, after)
  const touched = [...new Set([row.accountId, accountId ?? row.accountId])]
  const [changed] = await commitAndRead(
    ctx,
    {
      ...logOf(row, 'updated'),
      ...historyOf(row.transactionId, row, sideOf(row, wanted, after)),
      changes: {
        before: imageOf(row),
        after: { ...imageOf(row), ...columns, entries: after, ...linked },
        ...forced,
      },
      writes: [
        isRebooked ? mustBookOn(ctx, touched) : mustStillSee(ctx, touched),
        ...replaceTransaction(
          ctx,
          row,
          columns,
          isRebooked ? after : undefined,
          isSameLinks(linksBefore, linked) ? undefined : linked,
        ),
      ],
      ...bookingErrors,
    },
    ledgerRowById(ctx, id),
  )
  return existing(changed)
}

function entriesAfter(
  row: LedgerRow,
  before: Entry[],
  wanted: TransactionChanges,
  given: Pick<Change, 'named'> & {
    account: { id: string; ownerId: string; currency: string } | undefined
    categories: { id: string; kind: string; archived: boolean }[]
  },
): Entry[] {
  const { kind, transactionId, version } = row
  const { account, named, categories } = given
  if (kind === 'transfer' || kind === 'opening') {
    return dependentEntries(kind, row.accountId, before, wanted)
  }
  if (wanted.accountId !== undefined && !account) {
    throw transactionErrors.accountNotFound()
  }
  // The history has one record per change, and so could not tell of both accounts.
  if (kind === 'adjustment' && account && account.id !== row.accountId) {
    throw transactionErrors.adjustmentStays({ field: 'accountId' })
  }
  requireCategories(wanted.kind ?? kind, named, categories, before)
  const target = account && {
    accountId: account.id,
    ownerId: account.ownerId,
    currency: account.currency,
  }
  const booking = changedBooking(transactionId, bookingOf(kind, before, version), wanted, target)
  return singleEntries(booking)
}

/** The account's side after a change, of whichever account it is then. */
const sideOf = (row: LedgerRow, { kind }: TransactionChanges, after: Entry[]) =>
  after
    .filter(({ line }) => line === row.line)
    .map((own) => ({ ...own, kind: kind ?? row.kind }))[0]

const logOf = ({ kind, transactionId, ownerId }: LedgerRow, done: 'updated' | 'deleted') => {
  const type = kind === 'transfer' ? 'transfer' : 'transaction'
  return { action: `${type}.${done}`, resource: { type, id: transactionId }, ownerId }
}

/** An adjustment changes its account's balance by itself, so it shows in the account's history. */
function historyOf(
  transactionId: string,
  before: Side | undefined,
  after: Side | undefined,
): Pick<LogEntry, 'accountId' | 'facts'> {
  const event = adjustmentOf(before, after)
  return event
    ? {
        accountId: event.accountId,
        facts: historyFacts(event.accountId, { ...event, transactionId }),
      }
    : {}
}

/** Moves a transaction to the trash; a leg goes with its transfer, an opening with its account. */
export async function removeTransaction(ctx: SignedIn, id: string, force?: boolean): Promise<void> {
  const row = await findTransaction(ctx, id)
  requireVersion(ctx, row.version)
  if (row.kind === 'opening') {
    throw transactionErrors.opening()
  }
  if (row.kind === 'transfer') {
    throw transactionErrors.transferLeg()
  }
  const forced = requireUnreconciled(row, { force }, transactionErrors.reconciled)
  const { transactionId, version, accountId } = row
  await commit(ctx, {
    ...logOf(row, 'deleted'),
    ...historyOf(transactionId, row, undefined),
    changes: { before: imageOf(row), ...forced },
    writes: [
      mustBookOn(ctx, [accountId]),
      ...trashTransactions(ctx, [{ id: transactionId, version }]),
    ],
    result: undefined,
    guards: bookingErrors.guards,
  })
}
