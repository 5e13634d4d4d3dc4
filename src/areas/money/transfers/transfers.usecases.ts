import type { SignedIn } from '../../../platform/context.ts'
import { commit, commitAndRead, read, requireVersion } from '../../../platform/database/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/database/paging.ts'
import { owns } from '../../identity/access/access.public.ts'
import { accountsForBooking } from '../accounts/accounts.public.ts'
import { exchanged, withRates } from '../exchange-rates/exchange-rates.public.ts'
import { categoriesByIds } from '../categories/categories.public.ts'
import {
  amend,
  discard,
  type LedgerRow,
  namingConflicts,
  namingLocks,
  post,
  prepareEdits,
  requireUnreconciled,
  dismissPair,
  foundPairs,
  transferPairs,
  windowOf,
} from '../../../ledger/ledger.public.ts'
import { mentionsAmong } from '../../../domain/matching/texts.ts'
import { foldKey } from '../../../domain/text.ts'
import { tagsByIds, tagsNamed } from '../tags/tags.public.ts'
import {
  type Discarded,
  recordOne,
  rowOfMade,
  type SentTransfer,
  transferBookingErrors,
  transferCategoriesNamed,
  type TransferChanges,
  transferDraft,
  transferErrors,
} from '../transactions/transactions.public.ts'
import {
  decideTransferChange,
  bestOf,
  type TransferSuggestion,
  suggestionOf,
} from './transfers.rules.ts'
import {
  countOfTransfers,
  pageOfTransfers,
  transferById,
  type TransferFilter,
  namesOfAccounts,
} from './transfers.queries.ts'

/** A transfer as its two accounts see it. */
export interface TransferView {
  from: LedgerRow
  to: LedgerRow
}

export async function listTransfers(
  ctx: SignedIn,
  { convert, ...filter }: TransferFilter & { convert?: string | undefined },
  page: PageRequest,
): Promise<Page<TransferView>> {
  const [legs, [counted]] = await read(
    ctx,
    withRates(ctx, pageOfTransfers(ctx, filter, page), convert),
    countOfTransfers(ctx, filter),
  )
  const cut = cutPage(viewsOf(exchanged(ctx, legs, convert)), page, ({ from }) => [
    from.date,
    from.transactionId,
  ])
  return { ...cut, count: counted?.count ?? 0 }
}

export async function getTransfer(ctx: SignedIn, id: string): Promise<TransferView> {
  const [legs] = await read(ctx, transferById(ctx, id))
  return existingTransfer(viewsOf(legs)[0])
}

/** Pairs the legs of transfers; one whose other leg the caller does not see is left out. */
export const viewsOf = (legs: LedgerRow[]): TransferView[] =>
  [...Map.groupBy(legs, ({ transactionId }) => transactionId).values()].flatMap(([from, to]) =>
    from && to ? [{ from, to }] : [],
  )

export function existingTransfer(view: TransferView | undefined): TransferView {
  if (!view) {
    throw transferErrors.notFound()
  }
  return view
}

export const transferConflicts = { 'entries.external_id': () => transferErrors.externalIdTaken() }

/** Moves money between two accounts of the caller. */
export const createTransfer = (ctx: SignedIn, sent: SentTransfer): Promise<TransferView> =>
  recordOne(ctx, transferDraft(sent), { force: sent.force }, (recorded) => {
    if (!('made' in recorded)) {
      throw new Error('createTransfer: no transfer is known by an externalId')
    }
    return { from: rowOfMade(recorded.made, 1), to: rowOfMade(recorded.made, 2) }
  })

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
  const named = transferCategoriesNamed(wanted)
  const [legs, accounts, categories, tags, ...found] = await read(
    ctx,
    transferById(ctx, id),
    accountsForBooking(ctx, sent),
    categoriesByIds(ctx, idsOf(named)),
    tagsByIds(ctx, wanted.tagIds ?? []),
    ...needs,
  )
  const { from: row } = existingTransfer(viewsOf(legs)[0])
  requireVersion(ctx, row.version)
  const given = {
    named: { categories: named, tags: tagsNamed(wanted.tagIds) },
    ...{ accounts, categories, tags },
  }
  const { decided, changes } = await namingLocks(ctx, row, () =>
    ready(found)(wanted, (fields) => ({
      ...decideTransferChange(row, fields, given),
      facts: fields.facts,
    })),
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
  return existingTransfer(viewsOf(changed)[0])
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

export interface TransferLookup {
  from?: string | undefined
  to?: string | undefined
  days: number
  limit: number
}

/** The best suggestions, and whether more would have been compared without bounds. */
export interface TransferSuggestions {
  suggestions: TransferSuggestion[]
  truncated: boolean
}

/** Pairs of rows that look like one transfer. */
export async function suggestTransfers(
  ctx: SignedIn,
  { days, limit, ...asked }: TransferLookup,
): Promise<TransferSuggestions> {
  const window = windowOf(asked, ctx.now)
  const [rows, own] = await read(ctx, transferPairs(ctx, { ...window, days }), namesOfAccounts(ctx))
  const mentionsBetween = mentionsAmong(own.map(({ id, name }) => ({ id, name: foldKey(name) })))
  const { pairs, truncated } = foundPairs(rows)
  const suggestions = pairs.map(([from, to]) => suggestionOf(from, to, mentionsBetween))
  return { suggestions: bestOf(suggestions, limit), truncated }
}

export const dismissTransferSuggestion = (ctx: SignedIn, transactionIds: string[]): Promise<void> =>
  dismissPair(ctx, 'transfer', transactionIds, {
    unknown: transferErrors.unknownTransaction,
    unfit: transferErrors.notMatchable,
  })
