import { addressOf } from '../../../../domain/ledger.ts'
import { freshId, type SignedIn } from '../../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../../platform/database.ts'
import type { Thing } from '../../../../platform/events.ts'
import { requireAccess } from '../../../identity/access/access.public.ts'
import { type LedgerRow, ledgerRowById } from '../../../../ledger/ledger.public.ts'
import { mustCoverLinked } from './coverage.queries.ts'
import { transactionErrors } from '../transactions.errors.ts'
import { linkEvents } from './links.events.ts'
import {
  deleteTransactionLinkRow,
  insertTransactionLink,
  linkedSums,
  type LinkedSide,
  type LinkRow,
  linksOfTransaction,
  mustBeAsRead,
  mustBeLinkedWith,
  mustHaveRoomForLinks,
  sideById,
  type StoredLink,
} from './links.queries.ts'
import { coverageOf, type End, type LinkKind } from './links.rules.ts'

/** The links of a transaction, as one of its accounts sees it. */
export interface Linked {
  row: LedgerRow
  links: LinkRow[]
}

export async function listTransactionLinks(ctx: SignedIn, id: string): Promise<Linked> {
  const [[row], links] = await read(
    ctx,
    ledgerRowById(ctx, id),
    linksOfTransaction(ctx, addressOf(id).transactionId),
  )
  if (!row) {
    throw transactionErrors.notFound()
  }
  return { row, links }
}

export interface NewLink {
  kind: LinkKind
  transactionId: string
  amount?: string | undefined
  note?: string | null | undefined
}

/** Links a transaction, the source, to another one. */
export async function createTransactionLink(
  ctx: SignedIn,
  id: string,
  { kind, transactionId, amount, note = null }: NewLink,
): Promise<LinkRow> {
  const [sourceId, targetId] = [addressOf(id).transactionId, addressOf(transactionId).transactionId]
  const [[source], [target], [sums]] = await read(
    ctx,
    sideById(ctx, id),
    sideById(ctx, transactionId),
    linkedSums(sourceId, targetId),
  )
  if (!source || !sums) {
    throw transactionErrors.notFound()
  }
  if (!target || target.ownerId !== source.ownerId) {
    throw transactionErrors.unknownTransaction({ field: 'transactionId' })
  }
  const covered = coverageOf(kind, amount, endOf(source, sums.source), endOf(target, sums.target))
  const link: StoredLink = {
    id: freshId(ctx, 'lnk'),
    ownerId: source.ownerId,
    kind,
    sourceId,
    targetId,
    ...covered,
    note,
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  return commit(ctx, {
    changes: [
      {
        statements: [
          requireAccess(
            ctx,
            'annotate',
            [source.accountId, target.accountId],
            transactionErrors.notFound,
          ),
          mustBeAsRead([source, target]),
          // What is left was computed from these; what was sent need only fit.
          ...(amount === undefined ? [mustBeLinkedWith(sourceId, targetId, sums)] : []),
          insertTransactionLink(link),
          mustCoverLinked([sourceId, targetId], () =>
            transactionErrors.linkedTooMuch({ field: 'amount' }),
          ),
          mustHaveRoomForLinks([sourceId, targetId]),
        ],
        events: [linkEvents.linked(thingOf(link, source), { after: link })],
      },
    ],
    result: rowOf(link, target),
    conflicts: { 'transaction_links.source_id': transactionErrors.linkedAlready },
  })
}

const endOf = ({ amountMinor, ...side }: LinkedSide, linkedMinor: number): End => ({
  ...side,
  amountMinor: Math.abs(amountMinor),
  linkedMinor,
})

/** The row that a finder will give for a new link, as seen from its source. */
const rowOf = (link: StoredLink, target: LinkedSide): LinkRow => ({
  ...target,
  id: link.id,
  relation: link.kind,
  direction: 'source',
  coveredMinor: link.amountMinor,
  coveredCurrency: link.currency,
  note: link.note,
  version: link.version,
  createdAt: link.createdAt,
  updatedAt: link.updatedAt,
})

/** Takes a link off, from either side. */
export async function deleteTransactionLink(
  ctx: SignedIn,
  id: string,
  linkId: string,
): Promise<void> {
  const { transactionId } = addressOf(id)
  const [[row], [link]] = await read(
    ctx,
    ledgerRowById(ctx, id),
    linksOfTransaction(ctx, transactionId, linkId),
  )
  if (!row) {
    throw transactionErrors.notFound()
  }
  if (!link) {
    throw transactionErrors.linkNotFound()
  }
  requireVersion(ctx, link.version)
  await commit(ctx, {
    changes: [
      {
        statements: [
          requireAccess(
            ctx,
            'annotate',
            [row.accountId, link.accountId],
            transactionErrors.notFound,
          ),
          ...deleteTransactionLinkRow(link),
        ],
        events: [
          linkEvents.unlinked(thingOf(link, row), { before: storedLink(link, transactionId) }),
        ],
      },
    ],
    result: undefined,
  })
}

/** The link that an event is about, on the account of the transaction that was addressed. */
const thingOf = (
  { id, version }: Pick<StoredLink, 'id' | 'version'>,
  { ownerId, accountId }: Pick<LedgerRow, 'ownerId' | 'accountId'>,
): Thing => ({ id, resourceType: 'transactionLink', ownerId, accountId, version })

/** A link as it is stored, whichever side it was read from. */
const storedLink = (link: LinkRow, transactionId: string): Omit<StoredLink, 'ownerId'> => ({
  id: link.id,
  kind: link.relation,
  sourceId: link.direction === 'source' ? transactionId : link.transactionId,
  targetId: link.direction === 'source' ? link.transactionId : transactionId,
  amountMinor: link.coveredMinor,
  currency: link.coveredCurrency,
  note: link.note,
  version: link.version,
  createdAt: link.createdAt,
  updatedAt: link.updatedAt,
})
